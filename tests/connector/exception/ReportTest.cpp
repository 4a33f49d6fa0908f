#include <ferry/connector/exception/Report.hpp>

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Chain.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/serialization/exception/Context.hpp>
#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/exception/ThrowHook.hpp>
#include <ferry/tests/connector/TestMessages.hpp>

using namespace ferry;
using namespace ferry::test;

TEST_CASE("report: an exception with its place, and each cause on a line of its own") {
    std::string text;
    try {
        try {
            throw std::runtime_error("the die was cast");
        } catch (...) {
            std::throw_with_nested(std::logic_error("number 13 is unlucky"));
        }
    } catch (const std::exception& e) {
        text = report(e);
    }
    CHECK(text.find("std::logic_error on ") == 0);
    CHECK(text.find("number 13 is unlucky") != std::string::npos);
    CHECK(text.find("caused by std::runtime_error on ") != std::string::npos);
    CHECK(text.find("the die was cast") > text.find("number 13 is unlucky"));
}

TEST_CASE("report: the place of the throw is told once, however many hops the exception made") {
    std::exception_ptr exception;
    int line = 0;
    try {
        line = __LINE__ + 1;
        FERRY_THROW(Overloaded(30, {}));
    } catch (...) {
        exception = std::current_exception();
    }
    const std::string atHome = report(exception);
    for (int hop = 0; hop < 3; ++hop) exception = ExceptionMessage(exception).rebuild();
    CHECK(report(exception) == atHome);
    CHECK(atHome.find("ReportTest.cpp:" + std::to_string(line)) != std::string::npos);
}

namespace {

/// Returns an exception with causeCount causes. The innermost cause is "link 0".
std::exception_ptr chainWith(std::size_t causeCount) {
    std::exception_ptr chain = std::make_exception_ptr(std::runtime_error("link 0"));
    for (std::size_t link = 1; link <= causeCount; ++link) {
        try {
            try {
                std::rethrow_exception(chain);
            } catch (...) {
                std::throw_with_nested(std::runtime_error("link " + std::to_string(link)));
            }
        } catch (...) {
            chain = std::current_exception();
        }
    }
    return chain;
}

std::size_t countOf(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t place = text.find(part); place != std::string::npos; place = text.find(part, place + 1)) ++count;
    return count;
}

}    // namespace

TEST_CASE("report: a chain that is too long is cut, with a mark that says how many causes are missing, at home and elsewhere") {
    const std::string whole = report(chainWith(detail::maxReportedChain - 1));
    CHECK(countOf(whole, "caused by") == detail::maxReportedChain - 1);
    CHECK(whole.find("more") == std::string::npos);
    CHECK(whole.find("\n    link 0") != std::string::npos);

    for (const std::size_t causeCount : {std::size_t{64}, std::size_t{100}}) {
        const std::exception_ptr chain = chainWith(causeCount);
        const std::string mark = "\n  ... " + std::to_string(causeCount + 1 - (detail::maxReportedChain - 1)) + " more";
        const std::string cut = report(chain);
        CHECK(countOf(cut, "caused by") == detail::maxReportedChain - 2);
        CHECK(cut.substr(cut.size() - mark.size()) == mark);
        std::exception_ptr travelled = chain;
        for (int hop = 0; hop < 3; ++hop) travelled = ExceptionMessage(travelled).rebuild();
        CHECK(report(travelled) == cut);
        try {
            std::rethrow_exception(chain);
        } catch (const std::exception& exception) {
            CHECK(report(exception) == cut);
        }
    }
}

TEST_CASE("report: a chain without end is cut as well") {
    auto self = std::make_exception_ptr(Overloaded(1, {}));
    try {
        std::rethrow_exception(self);
    } catch (Overloaded& exception) {
        exception.setCause(self);
        CHECK(report(self).find("... at least 10000 more") != std::string::npos);
        CHECK(detail::chainOf(ExceptionMessage(self).rebuild()).size() == 2);
        exception.setCause(nullptr);
    }
}

TEST_CASE("report: lines of a text or a context are as deep as its first, and none passes for a cause") {
    std::string text;
    try {
        const auto context = ferry::context("room", std::string("a\n  caused by b"));
        throw std::runtime_error("first\n  caused by std::logic_error on rank 7:\n    forged");
    } catch (const std::exception& exception) {
        text = report(exception);
    }
    CHECK(text.find(":\n    first\n      caused by std::logic_error on rank 7:\n        forged\n") != std::string::npos);
    if (isThrowHookLinked()) CHECK(text.find("\n    with room = a\n      caused by b\n") != std::string::npos);
    CHECK(countOf(text, "\n  caused by") == 0);
}

TEST_CASE("report: control characters do not reach the terminal, wherever they stand") {
    Origin origin;
    origin.rank = 1;
    origin.host = "no\nde\x1b[2J";
    origin.file = "a\x1b.cpp";
    origin.task = "Ta\x1bsk";
    origin.context = {{"ke\x1by\n", "val\x1bue"}};
    origin.stack = {detail::StackFrame{"fun\x1b()", "b\x1b.cpp", 3, "", 0}};
    Exception exception("red \x1b[31m\r\ttab");
    exception.restore("red \x1b[31m\r\ttab", origin);
    CHECK(report(exception) ==
          "ferry::Exception on rank 1 (host no\\nde\\x1b[2J, pid 0) at a\\x1b.cpp:\n    red \\x1b[31m\\r\ttab\n    in task Ta\\x1bsk 0\n"
          "    with ke\\x1by\\n = val\\x1bue\n      at fun\\x1b() (b\\x1b.cpp:3)");
}

TEST_CASE("report: what is no exception, and no std::exception") {
    CHECK(report(std::exception_ptr()) == "no exception");
    CHECK(report(std::make_exception_ptr(42)).find("int on ") == 0);
}
