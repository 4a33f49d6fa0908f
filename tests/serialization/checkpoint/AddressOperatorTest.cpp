// Classes whose operator& must not be called, in values, graphs, files and texts.
#include <cstddef>
#include <forward_list>
#include <list>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/checkpoint/GraphFile.hpp>
#include <ferry/serialization/checkpoint/SeriesFile.hpp>
#include <ferry/serialization/codec/View.hpp>
#include <ferry/serialization/graph/PartGraph.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>
#include <ferry/serialization/text/Json.hpp>
#include <ferry/serialization/text/Xml.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>
#include <ferry/tests/support/Unaddressable.hpp>

using namespace ferry;
using namespace ferry::test;

namespace addressOperatorTest {

class Base : public IntSerializableObject {
public:
    FERRY_CLASS(addressOperatorTest::Base)
    FERRY_FIELDS(plain)
    UnaddressablePlain plain;
    void operator&() const = delete;
};
class Derived : public Base {
public:
    FERRY_CLASS(addressOperatorTest::Derived)
    FERRY_FIELDS_AFTER(Base, record)
    UnaddressableRecord record;
};

/// Owns by raw pointers, and lists plain arrays.
struct Holder {
    Holder() = default;
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;
    ~Holder() {
        delete one;
        delete[] several;
    }
    UnaddressableRecord* one = nullptr;
    UnaddressablePlain* several = nullptr;
    int count = 0;
    std::shared_ptr<Base> object;
    FERRY_FIELDS(ferry::owned(one), ferry::ownedArray(several, count), object)
    void operator&() const = delete;
};

struct Road {
    int number = 0;
    std::vector<Road*> next;
    std::vector<UnaddressableRecord> signs;
    FERRY_FIELDS(number, next, signs)
    void operator&() const = delete;
};
using RoadsOnly = View<&Road::number, &Road::next>;
using PlainNumber = View<&UnaddressablePlain::number>;

}    // namespace addressOperatorTest

using namespace addressOperatorTest;

TEST_CASE("Address operator: values of classes with an operator& travel") {
    const UnaddressableMembers members = UnaddressableMembers::example();
    CHECK(valueOf<UnaddressableMembers>(intsOf(members)) == members);
    CHECK(fromJson<UnaddressableMembers>(toJson(members)) == members);
    CHECK(fromXml<UnaddressableMembers>(toXml(members)) == members);

    const std::forward_list<UnaddressablePlain> forward{{1, 0}, {2, 0}};
    CHECK(valueOf<std::forward_list<UnaddressablePlain>>(intsOf(forward)) == forward);
    const std::list<UnaddressableRecord> list{UnaddressableRecord(1)};
    CHECK(valueOf<std::list<UnaddressableRecord>>(intsOf(list)) == list);

    Derived derived;
    derived.plain.number = 3;
    derived.record = UnaddressableRecord(4);
    const Derived read = valueOf<Derived>(intsOf(derived));
    CHECK(read.plain.number == 3);
    CHECK(read.record.number == 4);
}

TEST_CASE("Address operator: owners and views of classes with an operator& travel") {
    Holder holder;
    holder.one = new UnaddressableRecord(5);
    holder.count = 2;
    holder.several = new UnaddressablePlain[2]{{6, 0}, {7, 0}};
    auto object = std::make_shared<Derived>();
    object->record.number = 8;
    holder.object = object;
    Holder read;
    const Ints ints = intsOf(holder);
    IntReader in(ints);
    in >> read;
    CHECK(read.one->number == 5);
    CHECK(read.several[1].number == 7);
    CHECK(dynamic_cast<const Derived&>(*read.object).record.number == 8);

    const std::vector<UnaddressablePlain> plains{{1, 2}, {3, 4}};
    std::vector<UnaddressablePlain> numbers(2);
    const Ints part = intsOf(ferry::part<PlainNumber>(plains));
    IntReader partIn(part);
    partIn >> ferry::part<PlainNumber>(numbers);
    CHECK(numbers[1] == UnaddressablePlain{3, 0});
}

TEST_CASE("Address operator: graphs of classes with an operator& are copied whole") {
    UnaddressableNode root;
    root.fill();
    CHECK(copyGraph(std::addressof(root)).root()->isFilled());

    std::vector<Road> ring(3);
    for (std::size_t i = 0; i < ring.size(); ++i) {
        ring[i].number = static_cast<int>(i);
        ring[i].next = {std::addressof(ring[(i + 1) % 3])};
        ring[i].signs.resize(2);
    }
    CHECK(copyGraph(std::addressof(ring[0]), GraphMemory::Arena).root()->next[0]->signs.size() == 2);
    const auto roads = copyGraph(graph(part<RoadsOnly>(ring[0])));
    CHECK(roads.root()->next[0]->next[0]->number == 2);
    CHECK(roads.root()->signs.empty());
}

TEST_CASE("Address operator: files hold classes with an operator&") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "file";
    save(path, UnaddressableMembers::example());
    CHECK(load<UnaddressableMembers>(path) == UnaddressableMembers::example());

    UnaddressableNode root;
    root.fill();
    saveGraph(path, std::addressof(root));
    CHECK(loadGraph<UnaddressableNode>(path).root()->isFilled());

    Derived object;
    object.record.number = 9;
    save(path, object);
    Derived loaded;
    loadInto(path, loaded);
    CHECK(loaded.record.number == 9);

    const auto seriesPath = folder.path() / "series";
    {
        SeriesWriter series(seriesPath);
        series.put(UnaddressablePlain{1, 2});
        series.put(object);
        series.put(std::vector<UnaddressableRecord>{UnaddressableRecord(3)});
        series.finish();
    }
    SeriesReader series(seriesPath);
    CHECK(series.get<UnaddressablePlain>() == UnaddressablePlain{1, 2});
    Derived next;
    series.getInto(next);
    CHECK(next.record.number == 9);
    CHECK(series.get<std::vector<UnaddressableRecord>>().at(0).number == 3);
}
