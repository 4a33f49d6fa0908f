#include <ferry/tests/serialization/AllocationWatch.hpp>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

thread_local bool isWatching = false;
thread_local std::size_t largest = 0;

}    // namespace

// The whole test program asks for memory here.
void* operator new(std::size_t bytes) {
    if (isWatching) largest = std::max(largest, bytes);
    void* memory = std::malloc(bytes != 0 ? bytes : 1);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

void operator delete(void* memory) noexcept { std::free(memory); }

void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace ferry::test {

AllocationWatch::AllocationWatch() noexcept {
    largest = 0;
    isWatching = true;
}

AllocationWatch::~AllocationWatch() { isWatching = false; }

std::size_t AllocationWatch::largestBytes() const noexcept { return largest; }

}    // namespace ferry::test
