#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/tests/support/AllocationWatch.hpp>

namespace ferry::test {

using Ints = std::vector<std::int32_t>;

template <class T>
Ints intsOf(const T& value) {
    IntBuffer buffer;
    {
        IntWriter out(buffer);
        out << value;
    }
    return {buffer.ints().begin(), buffer.ints().end()};
}

/// Reads one value that uses all of the ints.
template <class T>
T valueOf(const Ints& ints) {
    T value{};
    IntReader in(ints);
    in >> value;
    CHECK(in.remaining() == 0);
    return value;
}

/// Checks that every incomplete beginning of the ints is refused.
template <class T>
void checkTruncated(const Ints& ints) {
    for (std::size_t count = 0; count < ints.size(); ++count) {
        T value{};
        IntReader in({ints.data(), count});
        CAPTURE(count);
        CHECK_THROWS_AS(in >> value, SerializationError);
        CHECK(in.position() == 0);
    }
}

/// Replaces each int by bad values. Checks that the result is read or refused, and that the reader allocates no unjustified memory.
template <class T>
void checkDamaged(Ints ints) {
    const std::int32_t least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
    for (std::size_t i = 0; i < ints.size(); ++i) {
        const std::int32_t good = ints[i];
        for (const std::int32_t bad : {0, 1, 2, 3, -1, -2, least, most, most - 1, 1000000, good + 1, good ^ 0x10000}) {
            ints[i] = bad;
            AllocationWatch watch;
            try {
                T value{};
                IntReader in(ints);
                in >> value;
                in.expectEnd();
            } catch (const SerializationError&) {}
            CHECK(watch.largestBytes() <= 65536 + 8 * 4 * ints.size());
        }
        ints[i] = good;
    }
}

/// Writes and reads the value, checks its ints, and checks truncated and damaged copies.
template <class T>
T checkTravel(const T& value, const Ints& golden) {
    const Ints ints = intsOf(value);
    CHECK(ints == golden);
    checkTruncated<T>(ints);
    checkDamaged<T>(ints);
    return valueOf<T>(ints);
}

/// Returns the text of the error when the ints are read as a T.
template <class T>
std::string errorOf(const Ints& ints) {
    T value{};
    IntReader in(ints);
    try {
        in >> value;
        in.expectEnd();
    } catch (const SerializationError& error) {
        return error.what();
    }
    return "no error";
}

}    // namespace ferry::test
