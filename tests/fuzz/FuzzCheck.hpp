#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/fuzz/FuzzTarget.hpp>
#include <ferry/tests/support/AllocationWatch.hpp>

namespace ferry::test {

using Ints = std::vector<std::int32_t>;

/// Prints which promise was broken, and aborts.
[[noreturn]] void failCheck(std::string_view where, std::string_view problem);

/// What a class of the tests throws of its own when it does not like what it reads: it passes through the readers.
class Refusal : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// In a handler: returns when the exception says that data is bad or a class is missing, and for a Refusal; aborts for any other.
void requireRefusal(std::string_view where);

/// Aborts when a message of so many bytes took more memory than its kind may. Notes what a long one took.
void requireBounded(MemoryUse& allowed, const AllocationWatch& watch, std::size_t messageBytes);

template <class T>
Ints writtenInts(const T& value) {
    IntBuffer buffer;
    IntWriter out(buffer);
    out << value;
    out.finish();
    return {buffer.ints().begin(), buffer.ints().end()};
}

/// The ints behind a selector.
template <class T>
IntBuffer seedOf(std::size_t selector, const T& value) {
    IntBuffer buffer;
    {
        IntWriter out(buffer);
        out.writeInt(static_cast<std::int32_t>(selector));
        out << value;
    }
    buffer.makeOwned();
    return buffer;
}

/// Nothing more than writing and reading again is asked of most values.
struct NoFurtherCheck {
    template <class T>
    void operator()(const T&) const {}
};

/// Reads a T that takes all of the ints. What was read whole is written and read again: the two writings must be equal, or, of containers
/// without an order, hold the same ints.
template <class T, bool HasOrder = true, class FurtherCheck = NoFurtherCheck>
Outcome checkReading(MemoryUse& allowed, std::span<const std::int32_t> ints, const FurtherCheck& furtherCheck = {}) {
    T value{};
    bool isRead = false;
    {
        const AllocationWatch watch;
        try {
            IntReader in(ints);
            in >> value;
            in.expectEnd();
            isRead = true;
        } catch (...) {
            requireRefusal(allowed.name);
        }
        requireBounded(allowed, watch, ints.size_bytes());
    }
    if (!isRead) return Outcome::Refused;
    furtherCheck(value);
    Ints first;
    try {
        first = writtenInts(value);
    } catch (const UsageError& error) {
        // An object that a weak_ptr led to first and that is gone now may have hidden a way back through a shared_ptr.
        if (std::string_view(error.what()).find("owns itself through shared_ptr") == std::string_view::npos) throw;
        return Outcome::ReadWhole;
    }
    T again{};
    try {
        IntReader in(first);
        in >> again;
        in.expectEnd();
    } catch (const std::exception& error) {
        failCheck(allowed.name, error.what());
    }
    Ints second = writtenInts(again);
    if constexpr (!HasOrder) {
        std::sort(first.begin(), first.end());
        std::sort(second.begin(), second.end());
    }
    if (first != second) failCheck(allowed.name, "what was read is written differently the second time");
    return Outcome::ReadWhole;
}

}    // namespace ferry::test
