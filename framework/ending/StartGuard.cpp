#include <ferry/framework/ending/StartGuard.hpp>

#include <cstdio>
#include <cstdlib>

#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/PrintableText.hpp>

namespace ferry::detail {

namespace {

[[noreturn]] void endStart() {
    int status = exitStatus::exception;
    if (const std::exception_ptr failure = std::current_exception()) {
        status = exitStatusOf(failure);
        const int rank = rankOfThisThread();
        const std::string where = rank < 0 ? std::string() : " on rank " + std::to_string(rank);
        std::fprintf(stderr, "ferry: the job does not start%s: %s\n", where.c_str(),
                     printable(Thrown(failure).text(), Lines::Several).c_str());
    } else {
        std::fputs("ferry: the job does not start: std::terminate() was called\n", stderr);
    }
    std::fflush(nullptr);
    std::_Exit(status);
}

}    // namespace

StartGuard::StartGuard() noexcept : previous_(std::set_terminate(endStart)) {}

StartGuard::~StartGuard() {
    if (std::get_terminate() == endStart) std::set_terminate(previous_);
}

}    // namespace ferry::detail
