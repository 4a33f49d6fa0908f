#include <ferry/connector/exception/Chain.hpp>

#include <pthread.h>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

#include <ferry/tests/connector/Carried.hpp>
#include <ferry/tests/connector/TestMessages.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

/// The number of causes. At a hundred bytes for each, a recursion over the chain would overflow the small stack.
constexpr int manyCauses = 20'000;

void* callFunction(void* function) {
    (*static_cast<const std::function<void()>*>(function))();
    return nullptr;
}

/// Runs the function on a thread with a stack that is too small for a recursion over a long chain.
void onSmallStack(const std::function<void()>& function) {
    constexpr std::size_t stackBytes = std::size_t{512} << 10;
    pthread_attr_t attributes;
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstacksize(&attributes, stackBytes) == 0);
    pthread_t thread{};
    REQUIRE(pthread_create(&thread, &attributes, callFunction, const_cast<std::function<void()>*>(&function)) == 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
}

/// Returns a chain from another rank with Ferry's and standard exceptions in turn. The innermost exception has limit 0.
std::exception_ptr longChain(int causeCount) {
    std::exception_ptr chain = std::make_exception_ptr(Overloaded(0, {}));
    for (int link = 1; link <= causeCount; ++link) {
        Overloaded next(link, {});
        next.setCause(chain);
        chain = std::make_exception_ptr(next);
    }
    return chain;
}

int limitOf(const std::exception_ptr& exception) {
    try {
        std::rethrow_exception(exception);
    } catch (const Overloaded& overloaded) {
        return overloaded.limit;
    } catch (...) {
        return -1;
    }
}

/// Walks along the chain like a program that knows nothing of Ferry. Returns the number of exceptions.
std::size_t walk(std::exception_ptr exception) {
    std::size_t length = 0;
    while (exception) {
        ++length;
        std::exception_ptr cause;
        try {
            std::rethrow_exception(exception);
        } catch (const std::exception& link) {
            cause = thrownBy([&] { std::rethrow_if_nested(link); });
        }
        exception = cause;
    }
    return length;
}

}    // namespace

TEST_CASE("chain: a long one travels whole, is walked by std::rethrow_if_nested, and goes without recursion") {
    onSmallStack([] {
        std::exception_ptr arrived = carried(longChain(manyCauses));
        CHECK(walk(arrived) == manyCauses + 1);
        const auto chain = detail::chainOf(arrived);
        REQUIRE(chain.size() == manyCauses + 1);
        CHECK(limitOf(chain.front()) == manyCauses);
        CHECK(limitOf(chain.back()) == 0);
        arrived = carried(arrived);    // this destroys the first copy of the chain
        CHECK(walk(arrived) == manyCauses + 1);
    });
}

TEST_CASE("chain: standard exceptions that arrived in a long chain go without recursion too") {
    onSmallStack([] {
        std::vector<std::int32_t> ints = written(ExceptionMessage(std::make_exception_ptr(std::out_of_range("link"))));
        const std::vector<std::int32_t> link(ints.begin() + 1, ints.end());
        constexpr std::int32_t length = manyCauses + 1;
        for (std::int32_t i = 1; i < length; ++i) ints.insert(ints.end(), link.begin(), link.end());
        ints.front() = length;
        IntReader in(ints);
        ExceptionMessage message;
        message.readFromInts(in);
        CHECK(walk(message.rebuild()) == length);
    });
}

TEST_CASE("chain: one that is longer than may travel is cut, with a mark at its end") {
    const auto chain = detail::chainOf(carried(longChain(static_cast<int>(detail::maxChainLength) + 5)));
    REQUIRE(chain.size() == detail::maxChainLength);
    CHECK(detail::Thrown(chain.back()).text() == "... 7 more");
}
