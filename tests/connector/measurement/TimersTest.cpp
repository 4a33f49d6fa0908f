#include <ferry/connector/measurement/Timers.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <ferry/connector/Connector.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace timerstest {

/// Runs nested timers and counts. Rank 0 alone has the timer "report".
void measureSomething(Connector& c) {
    const auto whole = c.timers().time("solve");
    for (int step = 0; step < 3; ++step) {
        const auto one = c.timers().time("step");
        c.timers().count("moves", c.rank() + 1);
    }
    if (c.rank() != 0) return;
    const auto report = c.timers().time("report");
}

}    // namespace timerstest

using namespace timerstest;

TEST_CASE("Timers: figures of all ranks come to the root, entries inside their timers, and ranks that lack a name are told") {
    onRanks([](Connector& c) {
        measureSomething(c);
        c.timers().count("messages", 7);
        const Measurements all = c.measurements();
        if (c.rank() != 0) {
            CHECK(all.isEmpty());
            return;
        }
        std::vector<std::string> paths;
        for (const Measurement& one : all.entries()) paths.push_back(one.path);
        CHECK(paths == std::vector<std::string>{"solve", "solve/step", "solve/step/moves", "solve/report", "messages"});
        const auto ranks = static_cast<std::uint64_t>(c.size());

        const Measurement& step = *all.find("solve/step");
        CHECK(step.kind == Measurement::Kind::Timer);
        CHECK(step.depth == 1);
        CHECK(step.calls == 3 * ranks);
        CHECK(step.values.size() == ranks);
        CHECK(step.min <= step.mean);
        CHECK(step.mean <= step.max);
        CHECK(step.max <= all.find("solve")->max);

        const Measurement& moves = *all.find("solve/step/moves");
        CHECK(moves.kind == Measurement::Kind::Counter);
        CHECK(moves.min == 3);
        CHECK(moves.minRank == 0);
        CHECK(moves.max == 3 * c.size());
        CHECK(moves.maxRank == c.size() - 1);
        CHECK(moves.mean == 3 * (c.size() + 1) / 2.0);
        CHECK(moves.imbalance == moves.max / moves.mean);

        const Measurement& report = *all.find("solve/report");
        CHECK(report.missing.size() == ranks - 1);
        CHECK(report.values.front().has_value());
        CHECK(all.find("messages")->imbalance == 1);
        CHECK((all.text().find("not on rank 1") != std::string::npos) == (c.size() > 1));

        const nlohmann::json json = nlohmann::json::parse(all.json());
        CHECK(json["ranks"] == ranks);
        CHECK(json["entries"].size() == 5);
        CHECK(json["entries"][2]["path"] == "solve/step/moves");
        CHECK(json["entries"][2]["max"] == 3 * c.size());
        CHECK(json["entries"][3]["missing"].size() == ranks - 1);
        c.timers().clear();
    });
}

TEST_CASE("Timers: another root, and no timers at all") {
    onRanks([](Connector& c) {
        CHECK(c.measurements().isEmpty());
        c.timers().count("one");
        const Measurements all = c.measurements(c.size() - 1);
        CHECK(all.isEmpty() == (c.rank() != c.size() - 1));
        if (!all.isEmpty()) CHECK(all.find("one")->mean == 1);
    });
}

TEST_CASE("Measurements: a name with a slash has another path than a timer inside a timer") {
    onRanks([](Connector& c) {
        {
            const auto outer = c.timers().time("a");
            const auto inner = c.timers().time("b");
        }
        { const auto slash = c.timers().time("a/b"); }
        { const auto both = c.timers().time("a\\"); }
        const Measurements all = c.measurements();
        if (c.rank() == 0) {
            std::vector<std::string> paths;
            for (const Measurement& one : all.entries()) paths.push_back(one.path);
            CHECK(paths == std::vector<std::string>{"a", "a/b", "a\\/b", "a\\\\"});
            CHECK(all.find("a/b")->name == "b");
            CHECK(all.find("a\\/b")->name == "a/b");
        }
        c.timers().clear();
    });
}

TEST_CASE("Measurements: a timer and a counter of one name are two entries") {
    onRanks([](Connector& c) {
        c.timers().count("cells", 5);
        { const auto run = c.timers().time("cells"); }
        const Measurements all = c.measurements();
        if (c.rank() == 0) {
            REQUIRE(all.entries().size() == 2);
            CHECK(all.find("cells")->kind == Measurement::Kind::Counter);    // the first
            CHECK(all.find("cells", Measurement::Kind::Counter)->mean == 5);
            CHECK(all.find("cells", Measurement::Kind::Timer)->calls == static_cast<std::uint64_t>(c.size()));
            CHECK(all.find("cell", Measurement::Kind::Timer) == nullptr);
        }
        c.timers().clear();
    });
}

TEST_CASE("Timers: a counter that leaves the range of 64 bits stays at its end, and the figures say so") {
    onRanks([](Connector& c) {
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        constexpr auto least = std::numeric_limits<std::int64_t>::min();
        c.timers().count("large", most - 1);
        c.timers().count("sunk", least + 1);
        c.timers().count("fair", most / 2);
        if (c.rank() == 0) {
            for (const int more : {2, -5}) c.timers().count("large", more);
            for (const int more : {-2, 5}) c.timers().count("sunk", more);
        }
        const Measurements all = c.measurements();
        if (c.rank() != 0) return;
        CHECK(all.find("large")->atLimit == std::vector<int>{0});
        CHECK(*all.find("large")->values[0] == static_cast<double>(most));
        CHECK(all.find("sunk")->atLimit == std::vector<int>{0});
        CHECK(*all.find("sunk")->values[0] == static_cast<double>(least));
        CHECK(all.find("sunk")->calls == static_cast<std::uint64_t>(c.size()) + 2);
        CHECK(all.find("fair")->atLimit.empty());
        CHECK(all.find("fair")->mean == doctest::Approx(static_cast<double>(most / 2)));    // over all ranks, where the sum is too large
        CHECK(all.text().find("more than 64 bits hold on rank 0") != std::string::npos);
        CHECK(all.json().find("\"atLimit\": [") != std::string::npos);
    });
}

TEST_CASE("Timers: the end of an outer run ends the runs inside it, and a running timer counts") {
    onRanks([](Connector& c) {
        std::unique_ptr<Timers::Run> outer(new Timers::Run(c.timers().time("outer")));
        std::unique_ptr<Timers::Run> inner(new Timers::Run(c.timers().time("inner")));
        CHECK(c.timers().measured().at(1).callCount == 1);
        outer.reset();
        inner.reset();    // has ended already
        const std::vector<detail::MeasuredEntry> measured = c.timers().measured();
        REQUIRE(measured.size() == 2);
        CHECK(measured[0].callCount == 1);
        CHECK(measured[1].callCount == 1);
        const auto next = c.timers().time("next");
        CHECK(c.timers().measured().back().parent == -1);
        c.timers().clear();
    });
}

TEST_CASE("Timers: an empty name, and endless nesting, are refused") {
    onRanks([](Connector& c) {
        CHECK_THROWS_AS(c.timers().count(""), UsageError);
        const auto recurse = [&c](const auto& self, int depth) -> void {
            const auto run = c.timers().time("deeper");
            if (depth < 1000) self(self, depth + 1);
        };
        CHECK_THROWS_WITH_AS(recurse(recurse, 0), doctest::Contains("inside 100 timers"), UsageError);
        CHECK(c.timers().measured().size() == 100);
        const auto outermost = c.timers().time("outermost");
        CHECK(c.timers().measured().back().parent == -1);
        c.timers().clear();
    });
}

TEST_CASE("Measurements: damaged lists are refused") {
    using Entries = std::vector<detail::MeasuredEntry>;
    CHECK_THROWS_AS(Measurements({Entries{{"a", 0}}}), SerializationError);
    CHECK_THROWS_AS(Measurements({Entries{{"a", -2}}}), SerializationError);
    Entries deep;
    for (std::int32_t parent = -1; parent < 200; ++parent) deep.push_back({"a", parent});
    CHECK_THROWS_AS(Measurements({deep}), SerializationError);
}

TEST_CASE("Measurements: an entry has one form on the wire") {
    IntBuffer buffer;
    IntWriter out(buffer);
    out << detail::MeasuredEntry{"ab", 3, true, 5, -2};
    out.finish();
    CHECK(std::vector<std::int32_t>(buffer.ints().begin(), buffer.ints().end()) ==
          std::vector<std::int32_t>{2, 'a' + ('b' << 8), 3, 1, 5, 0, -2, -1});
    IntReader in(buffer.ints());
    detail::MeasuredEntry entry;
    in >> entry;
    CHECK(in.remaining() == 0);
    CHECK(entry.amount == -2);
}
