#include <ferry/serialization/exception/stack/dropGuardFrames.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace ferry;

namespace {

using Frames = std::vector<detail::StackFrame>;

/// The stack after the call, by its functions.
std::vector<std::string> functionsLeft(Frames stack) {
    detail::dropGuardFrames(stack);
    std::vector<std::string> functions;
    for (const detail::StackFrame& frame : stack) functions.push_back(frame.function);
    return functions;
}

const detail::StackFrame step{"step(int)", "/home/user/solver.cpp", 21, "/home/user/solver", 1};
const detail::StackFrame receive{"MPI_Recv", "/opt/ferry/guard/calls/ReceiveCalls.cpp", 69, "/opt/lib/libferry_guard.so", 2};
const detail::StackFrame fail{"ferry::pmpi::Region::fail(int)", "/opt/ferry/guard/region/Region.cpp", 346, "/opt/lib/libferry_guard.so", 3};
const detail::StackFrame invoke{"operator()", "/usr/include/c++/12/bits/std_function.h", 590, "/opt/lib/libferry_guard.so", 4};
const detail::StackFrame inMpi{"PMPI_Allreduce", "", 0, "/usr/lib/libmpi.so.40", 5};

}    // namespace

TEST_CASE("dropGuardFrames: a stack of the guard begins with the function that has called MPI") {
    using Names = std::vector<std::string>;
    CHECK(functionsLeft({fail, receive, step}) == Names{"step(int)"});
    CHECK(functionsLeft({fail, invoke, fail, receive, step}) == Names{"step(int)"});
    auto fortran = receive;
    fortran.function = "mpi_recv_";
    CHECK(functionsLeft({fail, receive, fortran, step}) == Names{"step(int)"});
    auto leave = receive;
    leave.function = "exit";
    leave.file = "/opt/ferry/guard/preload/exitAtOnce.cpp";
    CHECK(functionsLeft({fail, leave, step}) == Names{"step(int)"});
    const detail::StackFrame handlers{"__run_exit_handlers", "", 0, "/lib/libc.so.6", 6};
    const detail::StackFrame leaveOfLibrary{"exit", "", 0, "/lib/libc.so.6", 7};
    CHECK(functionsLeft({handlers, leaveOfLibrary, leave, step}) == Names{"step(int)"});
    CHECK(functionsLeft({handlers, leaveOfLibrary, step}) == Names{"step(int)"});
    auto region = fail;
    region.function = "ferry::guarded(ompi_communicator_t*, std::function<void ()> const&)";
    CHECK(functionsLeft({fail, region, step}) == Names{"step(int)"});
}

TEST_CASE("dropGuardFrames: a guard without debug information is known by its module") {
    auto bareFail = fail;
    bareFail.file.clear();
    auto nameless = bareFail;
    nameless.function.clear();
    auto bareReceive = receive;
    bareReceive.file.clear();
    CHECK(functionsLeft({nameless, bareFail, bareReceive, step}) == std::vector<std::string>{"step(int)"});
    auto elsewhere = nameless;
    elsewhere.module = "/usr/lib/libsolver.so";
    CHECK(functionsLeft({elsewhere, bareReceive, step}).size() == 3);
}

TEST_CASE("dropGuardFrames: a stack of the program stays whole") {
    CHECK(functionsLeft({invoke, fail, receive, step}).size() == 4);    // thrown by the standard library
    CHECK(functionsLeft({step}).size() == 1);
    CHECK(functionsLeft({fail, step}).size() == 2);    // no call of MPI
    CHECK(functionsLeft({fail, receive}).size() == 2);
    CHECK(functionsLeft({}).empty());
}

TEST_CASE("dropGuardFrames: a function of the program that MPI has called shows the call, and nothing else of the guard") {
    using Names = std::vector<std::string>;
    const std::string handler = "step(int)";
    CHECK(functionsLeft({step, fail, receive, step}) == Names{handler, "MPI_Recv", handler});    // an error handler
    CHECK(functionsLeft({step, inMpi, invoke, fail, receive, step}) == Names{handler, "PMPI_Allreduce", "MPI_Recv", handler});
    auto reduce = receive;
    reduce.function = "MPI_Allreduce";
    CHECK(functionsLeft({step, inMpi, fail, invoke, fail, reduce, step}) == Names{handler, "PMPI_Allreduce", handler});    // an operator
    CHECK(functionsLeft({step, inMpi, fail, reduce, step, inMpi, fail, reduce, step}) ==
          Names{handler, "PMPI_Allreduce", handler, "PMPI_Allreduce", handler});
    auto bareFail = fail;
    bareFail.file.clear();
    auto bareReduce = reduce;
    bareReduce.file.clear();
    CHECK(functionsLeft({step, inMpi, bareFail, bareReduce, step}) == Names{handler, "PMPI_Allreduce", handler});
    auto fortran = receive;
    fortran.function = "mpi_allreduce_";
    CHECK(functionsLeft({step, inMpi, fail, reduce, fortran, step}) == Names{handler, "PMPI_Allreduce", handler});
    CHECK(functionsLeft({step, fail, reduce, fortran, step}) == Names{handler, "mpi_allreduce_", handler});
    auto send = receive;    // the connector of Ferry, which calls MPI itself
    send.function = "ferry::MpiConnector::send()";
    send.file = "/opt/ferry/connector/mpi/MpiConnector.cpp";
    CHECK(functionsLeft({step, send, step}).size() == 3);
}
