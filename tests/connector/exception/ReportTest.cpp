#include <ferry/connector/exception/Report.hpp>

#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

#include <ferry/connector/message/ExceptionMessage.hpp>
#include <ferry/serialization/exception/Exception.hpp>
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

TEST_CASE("report: what is no exception, and no std::exception") {
    CHECK(report(std::exception_ptr()) == "no exception");
    CHECK(report(std::make_exception_ptr(42)).find("int on ") == 0);
}
