#include <ferry/guard/unwinding/NoexceptFrame.hpp>

#include <sys/wait.h>
#include <unistd.h>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

#include <ferry/tests/guard/unwinding/ThrowingFunctions.hpp>

using ferry::pmpi::NoexceptFrame;
using namespace ferry::test;

namespace {

#if defined(__x86_64__) || defined(__aarch64__)
constexpr bool isCodeRead = true;
#else
constexpr bool isCodeRead = false;
#endif

const std::runtime_error notThrown("not thrown");
bool isFound = false;

void look() { isFound = NoexceptFrame::around(notThrown).has_value(); }
void fail() { throw std::runtime_error("thrown"); }

/// Whether std::terminate is called when the function throws. Tried in a separate process.
bool terminates(const ThrowingFunction& function) {
    const pid_t child = ::fork();
    if (child == 0) {
        std::set_terminate([] { ::_exit(1); });
        try {
            function.run(fail);
        } catch (...) {
            ::_exit(0);
        }
        ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    return WEXITSTATUS(status) != 0;
}

void checkAll(std::span<const ThrowingFunction> functions) {
    int terminating = 0;
    for (const ThrowingFunction& function : functions) {
        CAPTURE(std::string(function.name));
        isFound = false;
        function.run(look);
        const bool isTerminating = terminates(function);
        if (isCodeRead)
            CHECK(isFound == isTerminating);
        else
            CHECK(isFound <= isTerminating);
        if (isTerminating) ++terminating;
    }
    CHECK(terminating >= 15);
}

void lookFromNoexcept() noexcept { look(); }

}    // namespace

TEST_CASE("NoexceptFrame: it is found where an exception would terminate, and nowhere else") {
    SUBCASE("code as it is written") { checkAll(unoptimisedFunctions()); }
    SUBCASE("code with functions inlined into others") { checkAll(optimisedFunctions()); }
}

TEST_CASE("NoexceptFrame: it says which function it is") {
    std::optional<NoexceptFrame> frame;
    const auto noexceptLambda = [&]() noexcept { frame = NoexceptFrame::around(notThrown); };
    noexceptLambda();
    REQUIRE(frame);
    CHECK(frame->function != 0);
    REQUIRE(!frame->returnAddresses.empty());
    CHECK(reinterpret_cast<std::uintptr_t>(frame->returnAddresses.back()) > frame->function);
}

TEST_CASE("NoexceptFrame: a destructor is found too, while the stack is unwound") {
    struct Looks {
        ~Looks() { look(); }
    };
    isFound = false;
    try {
        const Looks looks;
        fail();
    } catch (const std::exception&) {
        CHECK(isFound);
    }
    lookFromNoexcept();
    CHECK(isFound);
    look();
    CHECK(!isFound);
}
