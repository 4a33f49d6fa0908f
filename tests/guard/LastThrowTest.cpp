#include <ferry/serialization/exception/LastThrow.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/guard/region/rebuilt.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/ThrowHook.hpp>
#include <ferry/tests/support/Together.hpp>

using ferry::detail::LastThrow;

TEST_CASE("LastThrow: the last exception is known after the program has caught it") {
    if (!ferry::isThrowHookLinked()) return;
    LastThrow::keep();
    for (const char* text : {"cell 6 has no volume", "cell 7 has no volume"}) {
        try {
            throw std::domain_error(text);
        } catch (const std::domain_error&) {}
    }
    REQUIRE(LastThrow::isThere());
    const std::optional<LastThrow> last = LastThrow::ofProcess();
    REQUIRE(last.has_value());
    CHECK(last->summary() == "std::domain_error: cell 7 has no volume");
    CHECK_FALSE(last->record->frames.empty());
    std::array<char, LastThrow::shortTextBytes> text{};
    LastThrow::copyShortText(text);
    CHECK(std::string(text.data()) == last->summary());
}

TEST_CASE("LastThrow: an exception without a text is known by its type, and a long text is cut") {
    if (!ferry::isThrowHookLinked()) return;
    LastThrow::keep();
    try {
        throw 7;
    } catch (int) {}
    CHECK(LastThrow::ofProcess()->summary() == "int");
    try {
        throw std::runtime_error(std::string(1000, 'x'));
    } catch (const std::runtime_error&) {}
    std::array<char, LastThrow::shortTextBytes> text{};
    LastThrow::copyShortText(text);
    CHECK(std::string(text.data()).size() == text.size() - 1);
    CHECK(LastThrow::ofProcess()->text.size() == 1000);
}

TEST_CASE("LastThrow: an exception of an interpreter is told with its story") {
    if (!ferry::isThrowHookLinked()) return;
    LastThrow::keep();
    LastThrow::noteOfInterpreter("ValueError", "no plate", ferry::Origin::here("solver.py", 7), "Traceback: 7");
    const std::optional<LastThrow> last = LastThrow::ofProcess();
    REQUIRE(last.has_value());
    CHECK(last->summary() == "ValueError: no plate");
    CHECK(last->record->origin.line == 7);
    const std::exception_ptr rebuilt = ferry::pmpi::rebuilt(*last, {});
    const ferry::detail::Thrown thrown(rebuilt);
    CHECK(thrown.typeName() == "ValueError");
    CHECK(thrown.text() == "Traceback: 7");
    try {
        throw std::domain_error("cell 7 has no volume");
    } catch (const std::domain_error&) {}
    CHECK(LastThrow::ofProcess()->story.empty());
}

TEST_CASE("LastThrow: while several threads throw, each look at the last exception finds a whole one") {
    LastThrow::keep();
    const std::array<std::string, 3> texts{std::string(40, 'a'), std::string(400, 'b'), std::string(4000, 'c')};
    std::atomic<int> leftCount{3};
    std::atomic<int> brokenCount{0};
    ferry::test::runTogether(4, [&](int thread) {
        if (thread < 3) {
            const std::string& text = texts[static_cast<std::size_t>(thread)];
            for (int i = 0; i < 3000; ++i) LastThrow::noteOfInterpreter("Test", text, ferry::Origin(), text);
            --leftCount;
            return;
        }
        while (leftCount > 0) {
            const std::optional<LastThrow> last = LastThrow::ofProcess();
            if (!last || last->typeName != "Test") continue;
            if (last->text != last->story || std::find(texts.begin(), texts.end(), last->text) == texts.end()) ++brokenCount;
        }
    });
    CHECK(brokenCount == 0);
}
