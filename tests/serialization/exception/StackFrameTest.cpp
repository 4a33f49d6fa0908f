#include <ferry/serialization/exception/stack/StackFrame.hpp>

#include <doctest/doctest.h>

using namespace ferry;

TEST_CASE("StackFrame: lines of the system and of Ferry are not the program's") {
    CHECK(detail::isOfSystem({"std::sort", "/usr/include/c++/12/bits/stl_algo.h", 1900, "", 0}));
    CHECK(detail::isOfSystem({"__libc_start_call_main", "../sysdeps/nptl/libc_start_call_main.h", 58, "", 0}));
    CHECK_FALSE(detail::isOfSystem({"improve", "/home/user/include/rooms.cpp", 7, "", 0}));
    for (const char* file : {"/opt/include/ferry/connector/Connector.hpp", "/opt/include/ferry/guard/preload/ProgramGuard.cpp"})
        CHECK(detail::isInFerry({"run", file, 1, "", 0}));
    for (const char* file : {"/home/user/guard/rooms.cpp", "/home/user/ferry/rooms.cpp", ""})
        CHECK_FALSE(detail::isInFerry({"run", file, 1, "", 0}));
}

TEST_CASE("StackFrame: one line, with what is known") {
    CHECK(detail::describe({"improve(Room const&)", "/home/user/rooms.cpp", 57, "/usr/bin/solver", 1}) ==
          "improve(Room const&) (rooms.cpp:57)");
    CHECK(detail::describe({"dgemm_", "", 0, "/usr/lib/libblas.so.3", 1}) == "dgemm_ (libblas.so.3)");
    CHECK(detail::describe({"", "", 0, "/usr/bin/solver", 0x1f}) == "solver+0x1f");
    CHECK(detail::describe(detail::StackFrame{}) == "?+0x0");
}
