#include <ferry/connector/exception/report/Report.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <ferry/connector/exception/Chain.hpp>
#include <ferry/connector/exception/Remote.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/serialization/exception/Context.hpp>
#include <ferry/serialization/exception/TaskScope.hpp>
#include <ferry/serialization/exception/ThrowHook.hpp>
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/connector/Carried.hpp>
#include <ferry/tests/connector/TestMessages.hpp>

using namespace ferry;
using namespace ferry::test;

namespace diagnosis {

int throwLine = 0;

// Each of the three functions has its own stack frame. The work after each call keeps the compiler from a tail call.
[[gnu::noinline]] int failDeepInside(int depth) {
    throwLine = __LINE__ + 1;
    if (depth >= 0) throw std::out_of_range("deep");
    return depth;
}

[[gnu::noinline]] int middle(int depth) { return failDeepInside(depth) + throwLine; }

[[gnu::noinline]] int outermost(int depth) {
    const auto context = ferry::context("depth", depth);
    return middle(depth) + throwLine;
}

}    // namespace diagnosis

namespace {

const Origin& originOfArrived(const std::exception_ptr& exception) {
    static Origin origin;
    try {
        std::rethrow_exception(exception);
    } catch (const std::exception& caught) {
        REQUIRE(originOf(caught) != nullptr);
        origin = *originOf(caught);
    }
    return origin;
}

std::size_t frameOf(const Origin& origin, const std::string& function) {
    const auto frame = std::find_if(origin.stack.begin(), origin.stack.end(), [&](const detail::StackFrame& candidate) {
        return candidate.function.find(function) != std::string::npos;
    });
    return static_cast<std::size_t>(frame - origin.stack.begin());
}

}    // namespace

TEST_CASE("diagnosis: the stack is that of the throw, with files and lines, though it was packed elsewhere") {
    if (!isThrowHookLinked()) return;
    const std::exception_ptr thrown = thrownBy([] { diagnosis::outermost(5); });
    Origin origin;
    std::thread([&] { origin = originOfArrived(carried(carried(thrown))); }).join();
    const std::size_t inside = frameOf(origin, "diagnosis::failDeepInside");
    REQUIRE(inside < origin.stack.size());
    CHECK(inside <= 1);
    CHECK(frameOf(origin, "diagnosis::middle") > inside);
    CHECK(frameOf(origin, "diagnosis::outermost") > frameOf(origin, "diagnosis::middle"));
    CHECK(frameOf(origin, "main") < origin.stack.size());
    CHECK(origin.stack[inside].file.find("DiagnosisTest.cpp") != std::string::npos);
    CHECK(origin.stack[inside].line == diagnosis::throwLine);
    CHECK(origin.file.find("DiagnosisTest.cpp") != std::string::npos);
    CHECK(origin.line == diagnosis::throwLine);
}

TEST_CASE("diagnosis: what raise() or a function of Ferry throws is thrown by the line that called it") {
    if (!isThrowHookLinked()) return;
    int line = 0;
    const auto placeOf = [](const std::exception_ptr& thrown) {
        const Origin origin = originOfArrived(carried(thrown));
        return origin.file.substr(origin.file.find_last_of('/') + 1) + ":" + std::to_string(origin.line);
    };
    const Overloaded overloaded(1, {});
    const std::exception_ptr thrown = thrownBy([&] {
        line = __LINE__ + 1;
        overloaded.raise();
    });
    CHECK(placeOf(thrown) == "DiagnosisTest.cpp:" + std::to_string(line));
    line = __LINE__ + 1;
    const std::exception_ptr heldForThrowOn = detail::raised(overloaded);
    CHECK(placeOf(heldForThrowOn) == "DiagnosisTest.cpp:" + std::to_string(line));
    const std::exception_ptr refused = thrownBy([&] {
        line = __LINE__ + 1;
        detail::threadTransports(0);
    });
    CHECK(placeOf(refused) == "DiagnosisTest.cpp:" + std::to_string(line));
}

TEST_CASE("diagnosis: at least nine of ten frames have names") {
    if (!isThrowHookLinked()) return;
    std::size_t frames = 0;
    std::size_t named = 0;
    for (const std::exception_ptr& thrown :
         {thrownBy([] { diagnosis::outermost(1); }), thrownBy([] { xassert(1 > 2); }), thrownBy([] { throw Overloaded(1, {}); })}) {
        const Origin origin = originOfArrived(carried(thrown));
        frames += origin.stack.size();
        named += static_cast<std::size_t>(std::count_if(origin.stack.begin(), origin.stack.end(),
                                                        [](const detail::StackFrame& frame) { return !frame.function.empty(); }));
    }
    CHECK(frames > 15);
    CHECK(named * 10 >= frames * 9);
    MESSAGE(named << " of " << frames << " frames have names");
}

TEST_CASE("diagnosis: what the standard library throws has the stack, the context and the line of the caller") {
    if (!isThrowHookLinked()) return;
    int line = 0;
    const std::exception_ptr thrown = thrownBy([&] {
        const auto context = ferry::context("vector", "empty");
        std::vector<int> values;
        line = __LINE__ + 1;
        values.at(7) = 1;
    });
    const Origin origin = originOfArrived(carried(thrown));
    CHECK(origin.context == std::vector<detail::ContextEntry>{{"vector", "empty"}});
    CHECK(origin.file.find("DiagnosisTest.cpp") != std::string::npos);
    CHECK(origin.line == line);
}

TEST_CASE("diagnosis: context and task are those of the throw, own and foreign classes alike") {
    if (!isThrowHookLinked()) return;
    const auto check = [](const std::exception_ptr& thrown) {
        const auto later = ferry::context("later", 1);
        const Origin origin = originOfArrived(carried(carried(thrown)));
        CHECK(origin.context == std::vector<detail::ContextEntry>{{"instance", "comp01"}, {"round", "3"}});
        CHECK(origin.task == "acme::Solve");
        CHECK(origin.taskNumber == 12);
    };
    const detail::TaskScope task("acme::Solve", 12);
    const std::string name = "comp01";
    const auto instance = ferry::context("instance", name);
    check(thrownBy([] {
        const auto round = ferry::context("round", 3);
        throw Overloaded(1, {});
    }));
    check(thrownBy([] {
        const auto round = ferry::context("round", 3);
        throw std::runtime_error("x");
    }));
    check(thrownBy([] {
        const auto round = ferry::context("round", 3);
        xassert(1 > 2);
    }));
}

TEST_CASE("diagnosis: FERRY_THROW names the line for classes of any kind") {
    int line = 0;
    const std::exception_ptr own = thrownBy([&] {
        line = __LINE__ + 1;
        FERRY_THROW(Overloaded(1, {}));
    });
    CHECK(originOfArrived(carried(own)).line == line);
    if (!isThrowHookLinked()) return;
    const std::exception_ptr foreign = thrownBy([&] {
        line = __LINE__ + 1;
        FERRY_THROW(std::invalid_argument("x"));
    });
    CHECK(originOfArrived(carried(foreign)).line == line);
    CHECK(originOfArrived(carried(foreign)).file.find("DiagnosisTest.cpp") != std::string::npos);
    const std::exception_ptr next = thrownBy([] { throw 42; });
    CHECK(detail::Thrown(next).origin().line != line);
}

TEST_CASE("diagnosis: the report tells task, context and stack, and is the same after any number of hops") {
    if (!isThrowHookLinked()) return;
    const std::exception_ptr thrown = thrownBy([] {
        const detail::TaskScope task("acme::Solve", 12);
        const auto instance = ferry::context("instance", "comp01");
        try {
            diagnosis::outermost(2);
        } catch (...) {
            std::throw_with_nested(Overloaded(3, {}));
        }
    });
    const std::string atHome = report(thrown);
    INFO(atHome);
    CHECK(atHome.find("\n    in task acme::Solve 12\n    with instance = comp01\n") != std::string::npos);
    CHECK(atHome.find("\n    with depth = 2\n") != std::string::npos);
    CHECK(atHome.find("\n      at diagnosis::failDeepInside(int) (DiagnosisTest.cpp:" + std::to_string(diagnosis::throwLine) + ")\n") !=
          std::string::npos);
    CHECK(atHome.find("_start") == std::string::npos);
    std::exception_ptr travelled = thrown;
    for (int hop = 0; hop < 3; ++hop) {
        travelled = carried(travelled);
        CHECK(report(travelled) == atHome);
        CHECK(reportJson(travelled) == reportJson(thrown));
    }
}

TEST_CASE("diagnosis: the report of an xassert begins its stack where it stands") {
    const std::string text = report(carried(thrownBy([] { xassert(1 > 2); })));
    CHECK(text.find("failAssertion") == std::string::npos);
    CHECK(text.find("xassert") == text.rfind("xassert"));
}

TEST_CASE("diagnosis: the report as JSON") {
    const std::exception_ptr thrown = thrownBy([] {
        const detail::TaskScope task("acme::Solve", 12);
        const auto instance = ferry::context("instance",
                                             "\xff"
                                             "comp01");
        try {
            throw std::range_error("inner");
        } catch (...) {
            FERRY_THROW(Overloaded(3, {}));
        }
    });
    const auto json = nlohmann::json::parse(reportJson(carried(thrown)));
    CHECK(json["type"] == "ferry::test::Overloaded");
    CHECK(json["text"] == "more than there is room for");
    CHECK(json["origin"]["rank"] == -1);
    CHECK(json["origin"]["pid"].get<int>() > 0);
    CHECK(json["origin"]["line"].get<int>() > 0);
    CHECK(json["origin"]["time"].get<std::string>().size() == std::string("2026-11-21T16:31:15.000042Z").size());
    CHECK(json["origin"]["task"]["class"] == "acme::Solve");
    CHECK(json["origin"]["task"]["number"] == 12);
    CHECK(json["origin"]["context"][0]["key"] == "instance");
    CHECK(json["origin"]["context"][0]["value"].get<std::string>().find("comp01") != std::string::npos);
    CHECK(json["origin"]["stack"].is_array());
    CHECK(json["causes"].empty());
    CHECK(reportJson(std::exception_ptr()) == "null");

    const auto nested = nlohmann::json::parse(reportJson(carried(thrownBy([] {
        try {
            throw std::range_error("inner");
        } catch (...) {
            std::throw_with_nested(std::logic_error("outer"));
        }
    }))));
    REQUIRE(nested["causes"].size() == 1);
    CHECK(nested["causes"][0]["type"] == "std::range_error");
    CHECK(nested["causes"][0]["text"] == "inner");
    CHECK(nested["origin"]["task"].is_null());
}
