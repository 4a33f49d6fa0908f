#include <ferry/serialization/graph/PartGraph.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/checkpoint/GraphFile.hpp>
#include <ferry/serialization/checkpoint/SeriesFile.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/file/FileError.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using namespace ferry::test;

namespace partGraphTest {

struct PartLine {
    std::string name;
    FERRY_FIELDS(name)
};
struct PartStation {
    std::string name;
    std::vector<PartStation*> next;
    std::unique_ptr<PartStation> depot;
    std::shared_ptr<PartLine> line;
    std::vector<double> history;
    PartStation* previous = nullptr;
    FERRY_FIELDS(name, next, depot, line, history, previous)
};
using PartRoads = ferry::View<&PartStation::name, &PartStation::next>;
using PartLines = ferry::View<&PartStation::depot, &PartStation::line>;
using PartRoadGraph = ferry::PartGraph<PartRoads, PartStation>;
using PartLineGraph = ferry::PartGraph<PartLines, PartStation>;

/// Two stations that lead to each other. The first one has a depot and a line.
struct PartTown {
    PartStation north, south;
    PartTown() {
        north.name = "north";
        south.name = "south";
        north.next = {&south};
        south.next = {&north, &north};
        for (PartStation* station : {&north, &south}) {
            station->history.resize(1000);
            station->previous = &north;
        }
        north.depot = std::make_unique<PartStation>();
        north.depot->name = "depot";
        north.line = north.depot->line = std::make_shared<PartLine>(PartLine{"U1"});
    }
};

struct PartJourney {
    int number = 0;
    PartRoadGraph roads;
    FERRY_FIELDS(number, roads)
};

}    // namespace partGraphTest

using namespace partGraphTest;

TEST_CASE("PartGraph: the members of the view travel, for each object that they lead to") {
    const PartTown town;
    const PartRoadGraph roads = ferry::copyGraph(ferry::graph(ferry::part<PartRoads>(town.north)));
    CHECK(roads.objectCount() == 2);
    CHECK(roads->name == "north");
    REQUIRE(roads->next.size() == 1);
    const PartStation& south = *roads->next[0];
    CHECK(south.name == "south");
    CHECK(south.next == std::vector<PartStation*>{roads.root(), roads.root()});
    CHECK(roads->history.empty());
    CHECK(roads->depot == nullptr);
    CHECK(south.previous == nullptr);

    const PartLineGraph lines = ferry::copyGraph(ferry::graph(ferry::part<PartLines>(town.north)));
    CHECK(lines->name.empty());
    CHECK(lines->depot->name.empty());
    CHECK(lines->line->name == "U1");
    CHECK(lines->depot->line == lines->line);
}

TEST_CASE("PartGraph: is a value, with fewer ints than the whole graph") {
    const PartTown town;
    PartJourney trip;
    trip.number = 3;
    trip.roads = ferry::copyGraph(ferry::graph(ferry::part<PartRoads>(town.north)));
    const Ints ints = intsOf(trip);
    CHECK(ints.size() < 40);
    const PartJourney arrived = valueOf<PartJourney>(ints);
    CHECK(arrived.roads->next[0]->name == "south");
    CHECK(intsOf(ferry::graph(arrived.roads)) == intsOf(trip.roads));
    CHECK(!valueOf<PartJourney>(intsOf(PartJourney())).roads);
    checkTruncated<PartJourney>(ints);
    checkDamaged<PartJourney>(ints);

    const Ints lines = intsOf(ferry::graph(ferry::part<PartLines>(town.north)));
    checkTruncated<PartLineGraph>(lines);
    checkDamaged<PartLineGraph>(lines);
}

TEST_CASE("PartGraph: is saved and loaded, and a file of another view is refused") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "roads";
    const PartTown town;
    ferry::save(path, ferry::graph(ferry::part<PartRoads>(town.north)));
    CHECK(ferry::load<PartRoadGraph>(path)->next[0]->name == "south");
    CHECK_THROWS_AS(ferry::load<PartLineGraph>(path), ferry::FileError);
    {
        ferry::SeriesWriter file(path);
        file.put(1);
        file.put(ferry::graph(ferry::part<PartLines>(town.north)));
        file.finish();
    }
    ferry::SeriesReader file(path);
    CHECK(file.get<int>() == 1);
    CHECK(file.get<PartLineGraph>()->line->name == "U1");
}
