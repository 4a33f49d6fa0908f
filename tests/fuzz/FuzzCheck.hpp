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

/// Prints the broken promise, and aborts.
[[noreturn]] void failCheck(std::string_view where, std::string_view problem);

/// An exception of the test classes themselves, for data that they refuse. Readers pass it through.
class Refusal : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Call this in a handler. Returns when the exception reports bad data or a missing class, and for a Refusal. Aborts for any other
/// exception.
void requireRefusal(std::string_view where);

/// Aborts when a message of messageBytes bytes took more memory than its kind may. Records the memory use of a long message.
void requireBounded(MemoryUse& allowed, const AllocationWatch& watch, std::size_t messageBytes);
/// Whether requireBounded() would pass.
bool isBounded(const MemoryUse& allowed, const AllocationWatch& watch, std::size_t messageBytes) noexcept;

/// Runs receive() with a bound on its memory, for messages that make exceptions. The first exception of each place reads the names of its
/// stack, which are kept. So a run above the bound is made once more.
template <class Receive>
Outcome runBounded(MemoryUse& allowed, std::size_t messageBytes, const Receive& receive) {
    for (bool isLast = false;; isLast = true) {    // both runs have one stack, whose names are kept
        const AllocationWatch watch;
        const Outcome outcome = receive();
        if (!isLast && !isBounded(allowed, watch, messageBytes)) continue;
        requireBounded(allowed, watch, messageBytes);
        return outcome;
    }
}

template <class T>
Ints writtenInts(const T& value) {
    IntBuffer buffer;
    IntWriter out(buffer);
    out << value;
    out.finish();
    return {buffer.ints().begin(), buffer.ints().end()};
}

/// Returns the ints of the value behind a selector.
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

/// No further check: most values are only written and read again.
struct NoFurtherCheck {
    template <class T>
    void operator()(const T&) const {}
};

/// Reads a T that uses all of the ints. A value that was read whole is written and read again.
/// The two writings must be equal. For containers without an order, they must hold the same ints.
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
        // A weak_ptr may have been the first pointer to an object that is destroyed now.
        // Such an object can hide a cycle through a shared_ptr from the reader.
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
