#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::test {

/// Makes damaged messages from good ones. The same seed makes the same messages in the same order on every machine.
class Mutation {
public:
    using Ints = std::vector<std::int32_t>;

    /// good: the good messages, at least one.
    Mutation(std::vector<Ints> good, std::uint64_t seed);

    /// Returns one of the good messages with one or a few changes.
    Ints next();

private:
    void changeOnce(Ints& ints);
    std::int32_t interestingInt(std::int32_t old);
    /// Returns a number below the bound. The bound must not be 0.
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

    std::vector<Ints> good_;
    std::vector<std::int32_t> classIds_;
    std::mt19937_64 random_;
};

}    // namespace ferry::test
