#pragma once

#include <cstdint>

namespace ferry {

/// Pseudo-random numbers that are fixed by a seed: the same on every machine and with every standard library (splitmix64).
class SeededRandom {
public:
    explicit SeededRandom(std::uint64_t seed) noexcept : state_(seed) {}

    /// Any 64-bit number.
    std::uint64_t next() noexcept {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
        return mixed ^ (mixed >> 31);
    }

    /// Returns a number from 0 to count - 1; count must not be 0. Slightly uneven for counts near 2^64.
    std::uint64_t below(std::uint64_t count) noexcept { return next() % count; }

    /// Returns true once in count calls on average; always for 1.
    bool oneIn(std::uint64_t count) noexcept { return below(count) == 0; }

private:
    std::uint64_t state_;
};

}    // namespace ferry
