#include <ferry/tests/support/AllocationWatch.hpp>

#include <malloc.h>
#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

thread_local bool isWatching = false;
thread_local std::size_t largest = 0;
thread_local std::ptrdiff_t inUse = 0;    // bytes since the watch began
thread_local std::ptrdiff_t mostInUse = 0;

void giveBack(void* memory) noexcept {
    if (isWatching) inUse -= static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
    std::free(memory);
}

}    // namespace

// This operator new serves the whole test program.
void* operator new(std::size_t bytes) {
    void* memory = std::malloc(bytes != 0 ? bytes : 1);
    if (memory == nullptr) throw std::bad_alloc();
    if (isWatching) {
        largest = std::max(largest, bytes);
        inUse += static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
        mostInUse = std::max(mostInUse, inUse);
    }
    return memory;
}

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    try {
        return operator new(bytes);
    } catch (...) {
        return nullptr;
    }
}

void operator delete(void* memory) noexcept { giveBack(memory); }

void operator delete(void* memory, std::size_t) noexcept { giveBack(memory); }

namespace ferry::test {

AllocationWatch::AllocationWatch() noexcept {
    largest = 0;
    inUse = 0;
    mostInUse = 0;
    isWatching = true;
}

AllocationWatch::~AllocationWatch() { isWatching = false; }

std::size_t AllocationWatch::largestBytes() const noexcept { return largest; }

std::size_t AllocationWatch::peakBytes() const noexcept { return static_cast<std::size_t>(mostInUse); }

std::ptrdiff_t AllocationWatch::inUseBytes() const noexcept { return inUse; }

}    // namespace ferry::test
