#include <ferry/serialization/exception/Context.hpp>

#include <chrono>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/exception/stack/OriginLimits.hpp>

using ferry::detail::activeContext;
using ferry::detail::ContextEntry;

namespace {

using Entries = std::vector<ContextEntry>;

/// A class whose text cannot be made.
struct Sulking {
    bool operator!=(const Sulking&) const { return true; }
    Sulking begin() const { throw std::logic_error("no text"); }
    Sulking end() const { return {}; }
    Sulking& operator++() { return *this; }
    int operator*() const { return 0; }
};

}    // namespace

TEST_CASE("context: is there until the end of the scope, the outermost first") {
    CHECK(activeContext().empty());
    {
        const auto instance = ferry::context("instance", "comp01");
        {
            const auto seed = ferry::context("seed", 7u);
            CHECK(activeContext() == Entries{{"instance", "comp01"}, {"seed", "7"}});
        }
        const auto values = ferry::context("values", std::vector<int>{1, 2});
        CHECK(activeContext() == Entries{{"instance", "comp01"}, {"values", "[1, 2]"}});
    }
    CHECK(activeContext().empty());
}

TEST_CASE("context: keeps a copy of the value, and belongs to its thread") {
    std::string name = "before";
    const auto context = ferry::context("name", name);
    name = "after";
    CHECK(activeContext() == Entries{{"name", "before"}});
    bool isEmptyElsewhere = false;
    std::thread([&] { isEmptyElsewhere = activeContext().empty(); }).join();
    CHECK(isEmptyElsewhere);
}

TEST_CASE("context: an array of characters ends with its first zero, or else with the array") {
    const char unended[3] = {'a', 'b', 'c'};
    const char early[5] = {'d', '\0', 'e', 'f', 'g'};
    const char* const none = nullptr;
    const auto first = ferry::context("unended", unended);
    const auto second = ferry::context("early", early);
    CHECK(activeContext() == Entries{{"unended", "abc"}, {"early", "d"}});
    CHECK_THROWS_WITH_AS(static_cast<void>(ferry::context("none", none)), doctest::Contains("a null pointer stands for a text"),
                         ferry::UsageError);
}

TEST_CASE("context: an exception carries what was there when it was made") {
    std::optional<ferry::Exception> made;
    {
        const auto context = ferry::context("round", 3);
        made.emplace("x");
    }
    CHECK(made->origin().context == Entries{{"round", "3"}});
}

TEST_CASE("context: the innermost of very many entries are kept, and the beginning of long texts") {
    const auto nest = [](int depth, const auto& self) -> Entries {
        const auto context = ferry::context("depth", depth);
        return depth == 99 ? activeContext() : self(depth + 1, self);
    };
    const Entries entries = nest(0, nest);
    REQUIRE(entries.size() == ferry::originLimits::contextEntries);
    CHECK(entries.back().value == "99");
    const auto context = ferry::context("long", std::string(10'000, 'x'));
    CHECK(activeContext().back().value.size() == ferry::originLimits::textBytes);
}

TEST_CASE("context: a path, which is a range of paths, and other values are shown as xassert shows them") {
    const auto file = ferry::context("file", std::filesystem::path("/data/comp01.ctt"));
    const auto limit = ferry::context("limit", std::chrono::milliseconds(5));
    CHECK(activeContext() == Entries{{"file", "\"/data/comp01.ctt\""}, {"limit", "5ms"}});
}

TEST_CASE("context: a value whose text cannot be made does no harm, and its key stays") {
    const auto context = ferry::context("sulking", Sulking());
    CHECK(activeContext() == Entries{{"sulking", "<the text of its value threw: no text>"}});
}
