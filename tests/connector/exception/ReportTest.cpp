#include <ferry/connector/exception/report/Report.hpp>

#include <array>
#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <ferry/connector/exception/Chain.hpp>
#include <ferry/connector/exception/Translator.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>
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

namespace reportedFields {

enum class Colour { Red = 1, Green };
struct Place {
    int row = 0;
    std::string name;
    FERRY_FIELDS(row, name)
};
class RoomTaken : public Exception {
public:
    FERRY_EXCEPTION(reportedFields::RoomTaken)
    FERRY_FIELDS(number, isFree, share, colour, name, letter, rooms, places, best, pair, either, costs, corners, keptAside)
    RoomTaken() : Exception("the room is taken") {}
    int number = 31;
    bool isFree = false;
    double share = 0.5;
    Colour colour = Colour::Green;
    std::string name = "A\n1";
    char letter = 'x';
    std::vector<int> rooms = std::vector<int>(20, 7);
    std::vector<Place> places = {{3, "left"}};
    std::optional<Place> best;
    std::pair<int, std::string> pair{1, "one"};
    std::variant<int, std::string> either = "text";
    std::map<std::string, int> costs = {{"gap", 2}};
    std::array<int, 2> corners{1, 2};
    std::shared_ptr<int> keptAside = std::make_shared<int>(5);    // an address differs on each rank
};
class RoomClosed : public RoomTaken {
public:
    FERRY_EXCEPTION(reportedFields::RoomClosed)
    FERRY_FIELDS_AFTER(RoomTaken, until)
    int until = 9;
};
class ManyFields : public Exception {
public:
    FERRY_EXCEPTION(reportedFields::ManyFields)
    FERRY_FIELDS(long_, umlauts, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, a2, a3, a4, a5, a6)
    ManyFields() : Exception("many") {}
    std::vector<std::string> long_ = std::vector<std::string>(9, std::string(300, 'x'));
    std::vector<std::string> umlauts = std::vector<std::string>(9, "\xc3\xa4" + std::string(97, 'x') + "\xc3\xa4\xc3\xa4");
    int a = 1, b = 1, c = 1, d = 1, e = 1, f = 1, g = 1, h = 1, i = 1, j = 1, k = 1, l = 1, m = 1, n = 1, o = 1, p = 1, q = 1, r = 1, s = 1,
        t = 1, u = 1, v = 1, w = 1, x = 1, y = 1, z = 1, a1 = 1, a2 = 1, a3 = 1, a4 = 1, a5 = 1, a6 = 1;
};
struct Foreign : std::runtime_error {
    Foreign() : std::runtime_error("foreign") {}
    explicit Foreign(const std::string& text) : std::runtime_error(text) {}
    int code = 12;
    FERRY_FIELDS(code)
};
class OnlyAssertion : public AssertionFailure {
public:
    FERRY_EXCEPTION(reportedFields::OnlyAssertion)
    FERRY_FIELDS_AFTER(AssertionFailure, seats)
    int seats = 4;
};

}    // namespace reportedFields

TEST_CASE("report: the fields of an exception are told by name, the same after hops") {
    using namespace reportedFields;
    std::exception_ptr exception = std::make_exception_ptr(RoomTaken());
    const std::string text = report(exception);
    CHECK(text.find(
              "\n    the room is taken\n    field number = 31\n    field isFree = false\n    field share = 0.5\n    field colour = 2\n") !=
          std::string::npos);
    CHECK(
        text.find("\n    field name = \"A\\n1\"\n    field letter = 'x'\n    field rooms = [7, 7, 7, 7, 7, 7, 7, 7, ... 20 elements]\n") !=
        std::string::npos);
    CHECK(text.find("\n    field places = [{row = 3, name = \"left\"}]\n    field best = nullopt\n    field pair = (1, \"one\")\n") !=
          std::string::npos);
    CHECK(text.find("\n    field either = \"text\"\n    field costs = [(\"gap\", 2)]\n    field corners = [1, 2]") != std::string::npos);
    CHECK(text.find("keptAside") == std::string::npos);
    for (int hop = 0; hop < 3; ++hop) exception = ExceptionMessage(exception).rebuild();
    CHECK(report(exception).find(text.substr(text.find("field number"))) != std::string::npos);
    const auto json = nlohmann::json::parse(reportJson(exception));
    CHECK(json.at("fields").at(0) == nlohmann::json{{"name", "number"}, {"value", "31"}});
    CHECK(json.at("fields").size() == 13);
}

TEST_CASE("report: fields of base classes, of foreign classes, and of a class of Ferry") {
    using namespace reportedFields;
    const std::string closed = report(RoomClosed());
    CHECK(closed.find("field number = 31") < closed.find("field until = 9"));
    CHECK(closed.find("field until = 9") != std::string::npos);
    CHECK(report(OnlyAssertion()).find("field seats = 4") != std::string::npos);
    CHECK(report(OnlyAssertion()).find("field expression") == std::string::npos);
    CHECK(report(std::runtime_error("none")).find("field") == std::string::npos);
    CHECK(nlohmann::json::parse(reportJson(std::runtime_error("none"))).at("fields").empty());
    Translator::global().add<Foreign, std::runtime_error>("reportedFields::Foreign");
    CHECK(report(Foreign()).find("\n    foreign\n    field code = 12") != std::string::npos);
    CHECK(report(ExceptionMessage(std::make_exception_ptr(Foreign())).rebuild()).find("field code = 12") != std::string::npos);
}

TEST_CASE("report: many fields and long ones are cut") {
    const reportedFields::ManyFields many;
    const auto fields = many.ferryFieldTexts();
    CHECK(fields.size() == detail::mostFieldTexts + 1);
    CHECK(fields.back().key == "...");
    CHECK(fields.front().value.size() == 403);
    CHECK(fields.front().value.ends_with("..."));
    const std::string json = reportJson(many);
    CHECK(json.find("\xef\xbf\xbd") == std::string::npos);    // no character was cut in two
    CHECK(json.size() < 6'000);
}

TEST_CASE("report: a rank that has several failures of one kind is named once for them") {
    std::vector<detail::RanksFailure> failures;
    for (int number = 0; number < 12; ++number) {
        try {
            throw std::out_of_range("cell " + std::to_string(number));
        } catch (...) {
            failures.push_back({std::current_exception(), {number % 3, 7}});
        }
    }
    const std::string text = detail::reportOfMany(failures);
    CHECK_MESSAGE(text.find("failure on 4 ranks (0-2, 7): ") != std::string::npos, text);
    CHECK_MESSAGE(text.find("(12 failures with 12 different texts)") != std::string::npos, text);
}
