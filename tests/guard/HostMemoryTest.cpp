#include <ferry/guard/known/HostMemory.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

using ferry::detail::SharedMemory;
using ferry::pmpi::HostMemory;

TEST_CASE("HostMemory: another process reaches the same counters") {
    HostMemory own;
    HostMemory other;
    HostMemory::Page* const page = other.pageAt(own.address());
    REQUIRE(page != nullptr);
    CHECK(other.pageAt(own.address()) == page);    // the memory is mapped once
    HostMemory::Page* const ownPage = own.pageAt(own.address());
    REQUIRE(ownPage != nullptr);
    CHECK(ownPage != page);
    page->lines[3][1].counter.fetch_add(2);
    CHECK(ownPage->lines[3][1].counter == 2);
    CHECK(ownPage->lines[3][0].counter == 0);
}

TEST_CASE("HostMemory: counters that cannot be reached are reported as absent") {
    HostMemory memory;
    CHECK(memory.pageAt({}) == nullptr);
    const SharedMemory smaller = SharedMemory::create(sizeof(HostMemory::Page) - 1);
    CHECK(memory.pageAt(smaller.address()) == nullptr);
}

TEST_CASE("HostMemory: a child of the process leaves its counters alone") {
    HostMemory memory;
    HostMemory::Page& page = *memory.pageAt(memory.address());
    page.lines[7][0].counter = 5;
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        memory.clear(7);
        ::_exit(0);
    }
    int status = -1;
    CHECK(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(page.lines[7][0].counter == 5);
}

TEST_CASE("HostMemory: a slot can be used anew") {
    HostMemory memory;
    HostMemory::Page& page = *memory.pageAt(memory.address());
    page.lines[7][0].counter = 5;
    page.lines[7][2].counter = 1;
    page.lines[8][0].counter = 6;
    memory.clear(7);
    CHECK(page.lines[7][0].counter == 0);
    CHECK(page.lines[7][2].counter == 0);
    CHECK(page.lines[8][0].counter == 6);
}
