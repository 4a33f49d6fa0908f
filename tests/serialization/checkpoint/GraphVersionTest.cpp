#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/checkpoint/GraphFile.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

// Graphs with fields that an older program does not know.

namespace graphVersionTest {

struct Item {
    int number = 0;
    FERRY_FIELDS(number)
};

namespace older {

struct Head {
    int id = 0;
    FERRY_FIELDS_VERSIONED(1, id)
};
struct Box {
    Head head;
    std::vector<Item> items;
    std::vector<Item> others;
    Item* picked = nullptr;
    FERRY_FIELDS(head, items, others, picked)
};

}    // namespace older

namespace newer {

struct Head {
    int id = 0;
    std::vector<Item> more;
    FERRY_FIELDS_VERSIONED(2, id, more)
};
struct Box {
    Head head;
    std::vector<Item> items;
    std::vector<Item> others;
    Item* picked = nullptr;
    FERRY_FIELDS(head, items, others, picked)
};

}    // namespace newer

}    // namespace graphVersionTest

using namespace graphVersionTest;

TEST_CASE("Graph file: a pointer that is counted behind skipped fields is refused, not led to another element") {
    const ferry::test::TemporaryFolder folder;
    const auto path = folder.path() / "box";
    newer::Box box{{7, {{1}, {2}}}, {{10}, {11}}, {{20}, {21}}, nullptr};
    ferry::saveGraph(path, &box);
    const auto without = ferry::loadGraph<older::Box>(path);    // the older program skips `more`
    CHECK(without->head.id == 7);
    CHECK(without->items.at(1).number == 11);
    CHECK(without->picked == nullptr);

    box.picked = &box.items[1];
    ferry::saveGraph(path, &box);
    CHECK(ferry::loadGraph<newer::Box>(path)->picked->number == 11);
    CHECK_THROWS_WITH_AS(ferry::loadGraph<older::Box>(path), doctest::Contains("behind fields of a newer version"),
                         ferry::SerializationError);
}
