#pragma once

#include <cstddef>
#include <cstdlib>

// The operators new and delete of a program whose allocations fail when the test says so. The program defines allocate(). Include this
// header in one source of a program.

namespace {

/// Returns memory, or throws std::bad_alloc.
void* allocate(std::size_t bytes);

}    // namespace

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
