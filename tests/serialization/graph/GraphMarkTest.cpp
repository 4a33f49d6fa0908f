#include <cstddef>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/graph/GraphWriter.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>

namespace graphMarkTest {

struct Station {
    int number = 0;
    Station* next = nullptr;
    ferry::GraphMark mark;
    FERRY_FIELDS(number, next)
};

/// A sink that discards all pieces.
class Discard final : public ferry::detail::ChunkSink {
public:
    ferry::IntBuffer begin() override { return {}; }
    void put(ferry::IntBuffer, bool) override {}
};

}    // namespace graphMarkTest

template <>
struct ferry::IdentityMapFor<graphMarkTest::Station> {
    using type = ferry::MarkMap<&graphMarkTest::Station::mark>;
};

using namespace graphMarkTest;

TEST_CASE("Graph: an object with room for one mark is not written into two graphs at the same time") {
    std::vector<Station> stations(100'000);    // enough for several pieces
    for (std::size_t i = 0; i < stations.size(); ++i) stations[i].next = &stations[(i + 1) % stations.size()];
    Discard sink;
    std::optional<ferry::detail::GraphWriter> first(std::in_place, sink);
    first->begin(ferry::graph(&stations[0]));
    first->writePiece();
    REQUIRE_FALSE(first->isComplete());
    Station copy = stations[0];    // the copy has the mark but is in no graph; the writer cannot know this, so it refuses the copy too
    CHECK_THROWS_AS(ferry::copyGraph(&stations[0]), ferry::UsageError);
    CHECK_THROWS_AS(ferry::copyGraph(&copy), ferry::UsageError);
    Station other[1];
    CHECK(ferry::copyGraph(&other[0]).objectCount() == 1);    // the other object is in a graph of its own
    first.reset();
    CHECK(ferry::copyGraph(&stations[0]).objectCount() == stations.size());
    CHECK(ferry::copyGraph(&stations[0]).objectCount() == stations.size());
}
