#include <ferry/tests/support/ScarceMemory.hpp>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

namespace {

thread_local bool isScarce = false;
thread_local std::uint64_t leftUntil = 0;    // allocations before the first one that fails
thread_local int leftToFail = 0;
std::atomic<std::uint64_t> failures = 0;

bool mustFail() noexcept {
    if (!isScarce || leftToFail == 0) return false;
    if (leftUntil > 0) {
        --leftUntil;
        return false;
    }
    --leftToFail;
    ++failures;
    return true;
}

void* allocate(std::size_t bytes) noexcept { return mustFail() ? nullptr : std::malloc(bytes != 0 ? bytes : 1); }

void* allocateOrThrow(std::size_t bytes) {
    void* memory = allocate(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}    // namespace

// These operators serve the whole test program.
void* operator new(std::size_t bytes) { return allocateOrThrow(bytes); }
void* operator new[](std::size_t bytes) { return allocateOrThrow(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace ferry::test {

ScarceMemory::ScarceMemory(std::uint64_t at, int count) noexcept {
    leftUntil = at - 1;
    leftToFail = count;
    isScarce = true;
}

ScarceMemory::~ScarceMemory() { isScarce = false; }

std::uint64_t ScarceMemory::failureCount() noexcept { return failures; }

AmpleMemory::AmpleMemory() noexcept : wasScarce_(std::exchange(isScarce, false)) {}

AmpleMemory::~AmpleMemory() { isScarce = wasScarce_; }

}    // namespace ferry::test
