#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace timetabling {

/// A random number generator (xoshiro256++). The same seed gives the same numbers on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed) {
        for (std::uint64_t& word : state_) word = mix(seed += 0x9E3779B97F4A7C15U);
    }

    std::uint64_t bits() {
        const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    /// A whole number from 0 to bound - 1. The bound is at least 1.
    int below(int bound) { return scale(static_cast<std::uint32_t>(bits() >> 32), bound); }

    /// A number in [0, 1).
    double fraction() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

    template <class Value>
    void shuffle(std::vector<Value>& values) {
        for (std::size_t left = values.size(); left > 1; --left) {
            std::swap(values[left - 1], values[static_cast<std::size_t>(below(static_cast<int>(left)))]);
        }
    }

    /// Maps 32 random bits to a number from 0 to bound - 1.
    static int scale(std::uint32_t randomBits, int bound) {
        return static_cast<int>(static_cast<std::uint64_t>(randomBits) * static_cast<std::uint64_t>(bound) >> 32);
    }

    /// The seed for a part of the work, from the seed of the whole work and the number of the part.
    static std::uint64_t seedOf(std::uint64_t seed, std::uint64_t part) { return mix(mix(seed) + 0x9E3779B97F4A7C15U * (part + 1)); }

private:
    static std::uint64_t mix(std::uint64_t value) {
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
        return value ^ (value >> 31);
    }

    std::uint64_t state_[4];
};

}    // namespace timetabling
