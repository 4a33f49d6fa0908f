#pragma once

#include <cstdint>

namespace ferry::test {

/// While the object lives, allocations of its thread fail: the one with the number `at`, counted from 1, and those behind it, `count` in
/// all. One object at a time on each thread. Needs the replaced operators new of ScarceMemory.cpp.
class ScarceMemory {
public:
    ScarceMemory(std::uint64_t at, int count) noexcept;
    ~ScarceMemory();
    ScarceMemory(const ScarceMemory&) = delete;
    ScarceMemory& operator=(const ScarceMemory&) = delete;

    /// The number of allocations of all threads that have failed so far.
    static std::uint64_t failureCount() noexcept;
};

/// While the object lives, allocations of its thread neither count nor fail.
class AmpleMemory {
public:
    AmpleMemory() noexcept;
    ~AmpleMemory();
    AmpleMemory(const AmpleMemory&) = delete;
    AmpleMemory& operator=(const AmpleMemory&) = delete;

private:
    bool wasScarce_;
};

}    // namespace ferry::test
