#include <ferry/serialization/exception/DrivenOut.hpp>

#include <array>
#include <cstddef>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/ThrowHook.hpp>

using ferry::detail::DrivenOut;

namespace drivenouttest {

template <class Function>
std::exception_ptr thrownBy(const Function& function) {
    try {
        function();
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

/// The text that is known of the exception whose place this one has taken; "-": none.
std::string lostTo(const std::exception_ptr& failure) {
    std::array<char, 100> room{};
    const char* const text = DrivenOut::copyText(failure, room);
    return text != nullptr ? text : "-";
}

[[noreturn]] void failWithoutMemory() { throw std::bad_alloc(); }

/// Runs out of memory while an exception destroys it, and keeps what was thrown.
struct NoMemoryAtEnd {
    explicit NoMemoryAtEnd(std::exception_ptr& failure) : failure_(failure) {}
    NoMemoryAtEnd(const NoMemoryAtEnd&) = delete;
    NoMemoryAtEnd& operator=(const NoMemoryAtEnd&) = delete;
    ~NoMemoryAtEnd() { failure_ = thrownBy(failWithoutMemory); }

private:
    std::exception_ptr& failure_;
};

}    // namespace drivenouttest

using namespace drivenouttest;

#ifdef __GLIBCXX__

TEST_CASE("DrivenOut: a bad_alloc in the handler of another exception tells the text of that one") {
    if (!ferry::isThrowHookLinked()) return;
    const std::exception_ptr failure = thrownBy([] {
        try {
            throw std::runtime_error("the cause");
        } catch (const std::exception&) {
            failWithoutMemory();
        }
    });
    CHECK(lostTo(failure) == "the cause");
    CHECK(lostTo(thrownBy([&failure] { std::rethrow_exception(failure); })) == "the cause");
    CHECK(lostTo(thrownBy(failWithoutMemory)) == "-");
    CHECK(lostTo(nullptr) == "-");
}

TEST_CASE("DrivenOut: the first exception is told, though memory runs out several times after it") {
    if (!ferry::isThrowHookLinked()) return;
    const std::exception_ptr failure = thrownBy([] {
        try {
            try {
                throw std::runtime_error(std::string(1000, 'x'));
            } catch (...) {
                failWithoutMemory();
            }
        } catch (...) {
            for (int i = 0; i < 100; ++i) static_cast<void>(thrownBy([] { throw std::bad_array_new_length(); }));
            failWithoutMemory();
        }
    });
    CHECK(lostTo(failure) == std::string(99, 'x'));
}

TEST_CASE("DrivenOut: an exception that could not be told is told with the bad_alloc that came in between") {
    const std::exception_ptr failure = thrownBy(failWithoutMemory);
    DrivenOut::noteUntold(std::make_exception_ptr(std::runtime_error("untold")), failure);
    CHECK(lostTo(failure) == "untold");
}

TEST_CASE("DrivenOut: a bad_alloc in a destructor tells the exception in flight, also one of a class without a text") {
    if (!ferry::isThrowHookLinked()) return;
    std::exception_ptr failure;
    static_cast<void>(thrownBy([&failure] {
        const NoMemoryAtEnd end(failure);
        throw std::runtime_error("in flight");
    }));
    CHECK(lostTo(failure) == "in flight");
    static_cast<void>(thrownBy([&failure] {
        const NoMemoryAtEnd end(failure);
        throw 5;
    }));
    CHECK(lostTo(failure) == "an exception of type i");
}

#endif
