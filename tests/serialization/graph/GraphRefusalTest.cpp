#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>

namespace refusalTest {

struct Item {
    int number = 0;
    FERRY_FIELDS(number)
};

struct Samples {
    int rows = 0;
    long columns = 0;
    double* values = nullptr;
    std::size_t partCount = 0;
    double* part = nullptr;
    FERRY_FIELDS(ferry::arrayOf(values, rows, columns), ferry::arrayOf(part, partCount))
};

struct ByNumber {
    template <class Pointer>
    bool operator()(const Pointer& left, const Pointer& right) const {
        return left->number < right->number;
    }
};
struct HashNumber {
    std::size_t operator()(const Item* item) const { return std::hash<int>()(item->number); }
};
struct ByRawAddress {
    bool operator()(const std::unique_ptr<Item>& left, const std::unique_ptr<Item>& right) const { return left.get() < right.get(); }
};

template <class Container>
struct Holder {
    Container items;
    FERRY_FIELDS(items)
};

struct Owned {
    std::unique_ptr<Owned> child;
    std::shared_ptr<Owned> share;
    std::weak_ptr<Owned> watched;
    Owned* parent = nullptr;
    int valueCount = 0;
    double* values = nullptr;
    FERRY_FIELDS(ferry::arrayOf(values, valueCount), parent, child, share, watched)
};

struct Elements {
    std::vector<Item> items;
    std::shared_ptr<Item> share;
    FERRY_FIELDS(items, share)
};

/// A class that writes ints or none. The number of ints is not known in advance.
struct Quiet {
    std::vector<double> large = std::vector<double>(1);
    std::string padding = "more bytes in memory than in ints";
    bool isQuiet = false;
    void writeToInts(ferry::IntWriter& out) const {
        if (!isQuiet) out << 5;
    }
    void readFromInts(ferry::IntReader& in) {
        if (in.remaining() != 0) in.readInt();
    }
};
struct Star {
    std::vector<Quiet*> rays;
    FERRY_FIELDS(rays)
};
struct Nothing {
    FERRY_FIELDS()
};

void noDeletion(Item*) {}
void noDeletionOfOwned(Owned*) {}

}    // namespace refusalTest

template <>
inline constexpr bool ferry::looksAtAddresses<refusalTest::ByRawAddress> = true;

using namespace refusalTest;

TEST_CASE("GraphRefusal: a negative length is refused beside a length of 0") {
    Samples samples;
    samples.rows = 0, samples.columns = -1;
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&samples), doctest::Contains("is negative"), ferry::UsageError);
    samples.columns = 5;
    CHECK(ferry::copyGraph(&samples)->columns == 5);
}

TEST_CASE("GraphRefusal: a null pointer to an array is no mistake, and its lengths arrive") {
    Samples samples;
    samples.rows = 2, samples.columns = 3, samples.partCount = 1;
    const auto copy = ferry::copyGraph(&samples);
    CHECK(copy->rows == 2);
    CHECK(copy->columns == 3);
    CHECK(copy->values == nullptr);
    CHECK(copy->partCount == 1);
    CHECK(copy->part == nullptr);
}

TEST_CASE("GraphRefusal: errors name arrays with all their lengths") {
    const std::vector<std::int32_t> ints{1, 2, -5, 0, 0, 0};
    ferry::detail::GraphReader<Samples> reader;
    CHECK_THROWS_WITH_AS(reader.read(ints, true), doctest::Contains("arrayOf(values, rows, columns)"), ferry::SerializationError);
}

TEST_CASE("GraphRefusal: two lengths of one array") {
    std::vector<double> values{1, 2, 3, 4, 5};
    Samples samples;
    samples.rows = 5, samples.columns = 1, samples.values = values.data();
    samples.partCount = 3, samples.part = values.data();
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&samples), doctest::Contains("5 elements by one and 3 by the other"), ferry::UsageError);
    samples.partCount = 5;
    const auto copy = ferry::copyGraph(&samples);
    CHECK(copy->part == copy->values);
}

TEST_CASE("GraphRefusal: keys that are sorted or found by what they lead to") {
    Item first{1}, second{2};
    const auto check = [](const auto& holder) {
        CHECK_THROWS_WITH_AS(ferry::copyGraph(&holder), doctest::Contains("looksAtAddresses"), ferry::UsageError);
    };
    check(Holder<std::set<Item*, ByNumber>>{{&first, &second}});
    check(Holder<std::multiset<const Item*, ByNumber>>{{&first, &second}});
    check(Holder<std::map<Item*, int, ByNumber>>{{{&first, 1}}});
    check(Holder<std::unordered_set<Item*, HashNumber>>{{&first}});
    check(Holder<std::set<std::shared_ptr<Item>, ByNumber>>{{std::make_shared<Item>()}});
    Holder<std::set<std::unique_ptr<Item>, ByNumber>> owners;
    CHECK(ferry::copyGraph(&owners)->items.empty());
    owners.items.insert(std::make_unique<Item>());
    check(owners);
}

TEST_CASE("GraphRefusal: keys that are known by their addresses travel") {
    Item first{1}, second{2};
    const Holder<std::set<Item*>> addresses{{&first, &second}};
    CHECK(ferry::copyGraph(&addresses)->items.size() == 2);
    const Holder<std::unordered_set<Item*>> hashed{{&first, &second}};
    const auto copy = ferry::copyGraph(&hashed);
    CHECK(copy->items.contains(*copy->items.begin()));
    Holder<std::map<std::shared_ptr<Item>, int, std::owner_less<>>> shares;
    shares.items[std::make_shared<Item>()] = 7;
    CHECK(ferry::copyGraph(&shares)->items.begin()->second == 7);
    Holder<std::set<std::unique_ptr<Item>, ByRawAddress>> owners;
    owners.items.insert(std::make_unique<Item>());
    CHECK(ferry::copyGraph(&owners)->items.size() == 1);
}

TEST_CASE("GraphRefusal: by value keys are sorted by what they lead to, which is there") {
    std::set<std::unique_ptr<Item>, ByNumber> items;
    for (const int number : {3, 1, 2}) items.insert(std::make_unique<Item>(Item{number}));
    ferry::IntBuffer buffer;
    {
        ferry::IntWriter out(buffer);
        out << items;
    }
    ferry::IntReader in(buffer.ints());
    std::set<std::unique_ptr<Item>, ByNumber> copies;
    in >> copies;
    CHECK(copies.size() == 3);
    CHECK((*copies.begin())->number == 1);
}

TEST_CASE("GraphRefusal: keys that no writer writes are refused before they are looked at") {
    const std::vector<std::int32_t> ints{1, 2, 0, 0};
    ferry::detail::GraphReader<Holder<std::multiset<Item*, ByNumber>>> reader;
    CHECK_THROWS_WITH_AS(reader.read(ints, true), doctest::Contains("expected a count of 0"), ferry::SerializationError);
}

TEST_CASE("GraphRefusal: a circle of unique_ptr") {
    auto first = std::make_unique<Owned>();
    Owned* root = first.get();
    root->child = std::make_unique<Owned>();
    root->child->child = std::make_unique<Owned>();
    root->child->child->parent = root;
    CHECK(ferry::copyGraph(root).objectCount() == 3);
    CHECK(ferry::copyGraph(root->child->child).objectCount() == 3);    // starts at a part of the tree; `parent` leads to the root
    root->child->child->child = std::move(first);
    double values[2] = {1, 2};
    root->values = values, root->valueCount = 2;    // the array is numbered, and has no contents of its own
    CHECK_THROWS_WITH_AS(ferry::copyGraph(root), doctest::Contains("owns itself through unique_ptr"), ferry::UsageError);
    first = std::move(root->child->child->child);
}

TEST_CASE("GraphRefusal: two owners of one object") {
    Owned root;
    root.child = std::make_unique<Owned>();
    root.share = std::shared_ptr<Owned>(root.child.get(), noDeletionOfOwned);
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&root), doctest::Contains("by a shared_ptr or weak_ptr besides"), ferry::UsageError);
    Owned watching;
    watching.child = std::make_unique<Owned>();
    const std::shared_ptr<Owned> other(watching.child.get(), noDeletionOfOwned);
    watching.watched = other;
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&watching), doctest::Contains("by a shared_ptr or weak_ptr besides"), ferry::UsageError);
}

TEST_CASE("GraphRefusal: an owner of a vector's element") {
    Elements elements;
    elements.items.resize(3);
    elements.share = std::shared_ptr<Item>(&elements.items[1], noDeletion);
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&elements), doctest::Contains("which the vector owns"), ferry::UsageError);
}

TEST_CASE("GraphRefusal: elements that take no ints, more of them than readers accept") {
    Holder<std::vector<Nothing>> holder;
    holder.items.resize(200000);
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&holder), doctest::Contains("elements that take no ints"), ferry::UsageError);
    holder.items.resize(65536);
    CHECK(ferry::copyGraph(&holder)->items.size() == 65536);
}

TEST_CASE("GraphRefusal: objects that write themselves may be larger in memory than their ints") {
    std::vector<Quiet> quiet(5000);
    Star star;
    for (Quiet& each : quiet) star.rays.push_back(&each);
    CHECK(ferry::copyGraph(&star)->rays.size() == 5000);
    for (Quiet& each : quiet) each.isQuiet = true;
    CHECK_THROWS_AS(ferry::copyGraph(ferry::graph(&star, 4)), ferry::UsageError);    // pieces that hold no int at all
}

TEST_CASE("GraphRefusal: a graph that came from elsewhere is sent on as it is") {
    Owned root;
    root.child = std::make_unique<Owned>();
    root.child->parent = &root;
    const ferry::Graph<Owned> first = ferry::copyGraph(&root);
    const ferry::Graph<Owned> second = ferry::copyGraph(first);
    CHECK(second.objectCount() == 2);
    CHECK(second->child->parent == second.root());
    CHECK(ferry::copyGraph(ferry::graph(second, 4)).objectCount() == 2);
    CHECK(ferry::copyGraph(ferry::graph(ferry::copyGraph(second))).objectCount() == 2);    // the graph is a temporary object
    CHECK(ferry::copyGraph(ferry::graph(std::make_unique<Owned>())).objectCount() == 1);
}

TEST_CASE("GraphRefusal: objects with another owner are not released") {
    Owned root;
    ferry::Graph<Owned> borrowed(&root, nullptr);
    CHECK(borrowed.objectCount() == 0);
    CHECK_THROWS_WITH_AS(borrowed.release(), doctest::Contains("does not own its objects"), ferry::UsageError);
    CHECK(borrowed.root() == &root);
    CHECK(ferry::Graph<Owned>().release() == nullptr);
}
