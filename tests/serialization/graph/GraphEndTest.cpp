#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/codec/View.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>

// Pointers to the end of arrays that a graph knows, and the end of graphs.

namespace graphEndTest {

struct Entry {
    int column = 0;
    double value = 0;
    FERRY_FIELDS(column, value)
};
struct Row {
    Entry* begin = nullptr;
    const Entry* end = nullptr;
    FERRY_FIELDS(begin, end)
};
struct Matrix {
    std::vector<Entry> entries;
    std::vector<Row> rows;
    std::vector<const Entry*> ends;
    FERRY_FIELDS(entries, rows, ends)
};
struct Late {
    Entry* end = nullptr;
    std::vector<Entry> entries;
    FERRY_FIELDS(end, entries)
};
struct Behind {
    int count = 0;
    Entry* entries = nullptr;
    Entry* end = nullptr;
    std::unique_ptr<Entry> owner;
    Entry* again = nullptr;
    FERRY_FIELDS(ferry::arrayOf(entries, count), end, owner, again)
};
struct OwnerFirst {
    int count = 0;
    Entry* entries = nullptr;
    std::shared_ptr<Entry> owner;
    Entry* end = nullptr;
    FERRY_FIELDS(ferry::arrayOf(entries, count), owner, end)
};
struct Slices {
    int firstCount = 0;
    Entry* first = nullptr;
    int secondCount = 0;
    Entry* second = nullptr;
    Entry* between = nullptr;
    Entry* end = nullptr;
    FERRY_FIELDS(ferry::arrayOf(first, firstCount), ferry::arrayOf(second, secondCount), between, end)
};
struct Ring {
    std::array<Entry, 2> slots;
    int used = 0;
    Entry* end = nullptr;
    FERRY_FIELDS(slots, used, end)
};
struct Keeper {
    std::vector<Entry> entries;
    FERRY_FIELDS(entries)
};
struct FarLate {
    Entry* end = nullptr;
    Keeper* keeper = nullptr;
    FERRY_FIELDS(end, keeper)
};
struct Queue {
    std::deque<Entry> waiting;
    Entry* end = nullptr;
    FERRY_FIELDS(waiting, end)
};
struct Words {
    std::vector<std::string> words;
    std::string* end = nullptr;
    FERRY_FIELDS(words, end)
};
struct Sized {
    std::vector<Entry> entries;
    Entry* end = nullptr;
};
using SizedView = ferry::View<ferry::inside<&Sized::entries, ferry::View<&Entry::column>>, &Sized::end>;

class Figure : public ferry::IntSerializableObject {
public:
    int sides = 0;
};
struct Named {
    virtual ~Named() = default;
    std::string name;
};
class Box : public Named, public Figure {
public:
    FERRY_CLASS(graphEndTest::Box)
    FERRY_FIELDS(sides, name)
};
class Shelf : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(graphEndTest::Shelf)
    FERRY_FIELDS(boxes, first, end, lastOfAll)
    std::vector<Box> boxes;
    Figure* first = nullptr;
    Figure* end = nullptr;
    ferry::IntSerializableObject* lastOfAll = nullptr;
};

/// The array ends where the object ends.
struct Tail {
    Entry* other = nullptr;
    std::array<Entry, 2> slots;
    FERRY_FIELDS(other, slots)
};
class TailObject : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(graphEndTest::TailObject)
    FERRY_FIELDS(other, slots)
    Entry* other = nullptr;
    std::array<Entry, 2> slots;
};
/// A member of the elements' type follows the array immediately.
struct Followed {
    std::array<Entry, 2> slots;
    Entry last;
    Entry* pointer = nullptr;
    FERRY_FIELDS(slots, last, pointer)
};
struct Front {
    Entry first;
    std::array<Entry, 2> slots;
    FERRY_FIELDS(first, slots)
};
struct Fronts {
    std::vector<Front> fronts;
    Entry* pointer = nullptr;
    FERRY_FIELDS(fronts, pointer)
};
struct BoxRow {
    std::array<Box, 2> boxes;
    Figure* end = nullptr;
    ferry::IntSerializableObject* lastOfAll = nullptr;
    FERRY_FIELDS(boxes, end, lastOfAll)
};
struct BoxArray {
    int count = 0;
    Box* boxes = nullptr;
    Figure* end = nullptr;
    FERRY_FIELDS(ferry::arrayOf(boxes, count), end)
};
struct Slots {
    std::array<Entry, 2> slots;
    FERRY_FIELDS(slots)
};
struct OnSlots : Slots {
    Entry* end = nullptr;
    FERRY_FIELDS_AFTER(Slots, end)
};
/// An array of structs in a member of the type Place, and a pointer.
template <class Place>
struct Kept {
    Place place{};
    Entry* end = nullptr;
    FERRY_FIELDS(place, end)
};
struct Table {
    Entry cells[2][3];
    Entry* end = nullptr;
    FERRY_FIELDS(cells, end)
};

/// The holder of the array is another object, which is met before or after the pointers.
template <class Pointer, class Holder>
struct HolderFirst {
    Pointer holder{};
    Entry* end = nullptr;
    Entry* other = nullptr;
    FERRY_FIELDS(holder, end, other)
};
template <class Pointer, class Holder>
struct HolderLast {
    Entry* end = nullptr;
    Entry* other = nullptr;
    Pointer holder{};
    FERRY_FIELDS(end, other, holder)
};

struct Everything {
    int sampleCount = 0;
    double* samples = nullptr;
    std::size_t entryCount = 0;
    Entry* entries = nullptr;
    std::unique_ptr<Everything> child;
    std::shared_ptr<Everything> share;
    FERRY_FIELDS(ferry::arrayOf(samples, sampleCount), ferry::arrayOf(entries, entryCount), child, share)
};

std::vector<Entry> full(std::size_t count) {
    std::vector<Entry> entries(count);
    entries.shrink_to_fit();
    return entries;
}

}    // namespace graphEndTest

template <>
struct ferry::Codec<graphEndTest::Sized> : ferry::ViewCodec<graphEndTest::Sized, graphEndTest::SizedView> {};

using namespace graphEndTest;

TEST_CASE("GraphEnd: pointers to the end of a vector lead to the end of the vector that comes back") {
    Matrix matrix{full(4), {}, {}};
    Entry* entries = matrix.entries.data();
    matrix.rows = {{entries, entries + 2}, {entries + 2, entries + 4}, {entries + 4, entries + 4}};
    matrix.ends = {entries + 4, nullptr, entries + 4, entries};
    const auto copy = ferry::copyGraph(&matrix);
    const Entry* first = copy->entries.data();
    CHECK(copy->rows[1].begin == first + 2);
    CHECK(copy->rows[1].end == first + 4);
    CHECK(copy->rows[2].begin == first + 4);
    CHECK(copy->ends == std::vector<const Entry*>{first + 4, nullptr, first + 4, first});
    CHECK(copy.objectCount() == 1);

    matrix.entries.reserve(9);    // memory behind the end
    entries = matrix.entries.data();
    matrix.rows = {{entries, entries + 4}};
    matrix.ends.clear();
    const auto roomy = ferry::copyGraph(&matrix);
    CHECK(roomy->rows[0].end - roomy->rows[0].begin == 4);
}

TEST_CASE("GraphEnd: in a vector that is empty, all pointers are null") {
    Matrix matrix;
    matrix.entries.reserve(3);
    matrix.rows = {{matrix.entries.data(), matrix.entries.data()}};
    const auto copy = ferry::copyGraph(&matrix);
    CHECK(copy->rows[0].begin == nullptr);
    CHECK(copy->rows[0].end == nullptr);
}

TEST_CASE("GraphEnd: a pointer to the end that is met before the vector is refused") {
    Late late{nullptr, full(3)};
    late.end = late.entries.data() + 3;
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&late), doctest::Contains("list the vector before"), ferry::UsageError);
}

TEST_CASE("GraphEnd: a pointer to the end that is met long before the object with the vector is refused") {
    Keeper keeper{full(3)};
    keeper.entries.reserve(4);    // the memory at the end is read before the vector is met
    FarLate late{keeper.entries.data() + 3, &keeper};
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&late), doctest::Contains("met before the vector"), ferry::UsageError);
}

TEST_CASE("GraphEnd: a pointer into the memory that a vector has for further elements is refused") {
    for (const std::size_t count : {0, 3}) {
        Matrix matrix;
        matrix.entries = full(count);
        matrix.entries.reserve(count + 5);
        for (const std::size_t behind : {1, 2, 5}) {
            matrix.ends = {matrix.entries.data() + count + behind};
            CHECK_THROWS_WITH_AS(ferry::copyGraph(&matrix), doctest::Contains("has for further elements (its capacity)"),
                                 ferry::UsageError);

            Late late{nullptr, full(count)};
            late.entries.reserve(count + 5);
            late.end = late.entries.data() + count + behind;
            if (behind < 5) new (late.end) Entry();
            CHECK_THROWS_WITH_AS(ferry::copyGraph(&late), doctest::Contains("met before the vector"), ferry::UsageError);
        }
    }
}

TEST_CASE("GraphEnd: the end of an array of a deque is refused") {
    for (const std::size_t count : {1, 3, 32, 100}) {
        Queue queue{std::deque<Entry>(count), nullptr};
        queue.end = &queue.waiting.back() + 1;
        CHECK_THROWS_WITH_AS(ferry::copyGraph(&queue), doctest::Contains("that a graph does not number"), ferry::UsageError);
        queue.end = &queue.waiting.back();
        CHECK(ferry::copyGraph(&queue)->end != nullptr);
    }
}

TEST_CASE("GraphEnd: an array behind a pointer has an end, and none without elements") {
    const auto entries = std::make_unique<Entry[]>(3);
    Behind behind{3, entries.get(), entries.get() + 3, nullptr, entries.get() + 2};
    const auto copy = ferry::copyGraph(&behind);
    CHECK(copy->end == copy->entries + 3);
    CHECK(copy->again == copy->entries + 2);

    behind.count = 0, behind.end = entries.get(), behind.again = nullptr;
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&behind), doctest::Contains("leads to an array without elements (ferry::arrayOf)"),
                         ferry::UsageError);
}

TEST_CASE("GraphEnd: an object that begins where a block ends is known by its owner or block") {
    struct Free {
        void operator()(Entry* entry) const { entry->~Entry(); }
    };
    alignas(Entry) std::array<std::byte, 3 * sizeof(Entry)> memory{};
    auto* entries = reinterpret_cast<Entry*>(memory.data());
    for (std::size_t i = 0; i < 3; ++i) new (entries + i) Entry{static_cast<int>(i), 0};

    OwnerFirst first{2, entries, std::shared_ptr<Entry>(entries + 2, Free()), entries + 2};
    const auto copy = ferry::copyGraph(&first);
    CHECK(copy->end == copy->owner.get());
    CHECK(copy->end->column == 2);

    Slices slices{1, entries, 2, entries + 1, entries + 1, entries + 3};
    const auto sliced = ferry::copyGraph(&slices);
    CHECK(sliced->between == sliced->second);
    CHECK(sliced->end == sliced->second + 2);

    Behind late{2, entries, entries + 2, nullptr, nullptr};
    late.owner.reset(entries + 2);
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&late), doctest::Contains("list the owner before the pointer"), ferry::UsageError);
    static_cast<void>(late.owner.release());
}

TEST_CASE("GraphEnd: the end of elements that have no numbers is refused") {
    Ring ring;
    ring.end = ring.slots.data() + 2;
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&ring), doctest::Contains("std::array"), ferry::UsageError);
    ring.end = ring.slots.data();
    CHECK(ferry::copyGraph(&ring)->end != nullptr);

    Words words{{"one", "two"}, nullptr};
    words.words.shrink_to_fit();
    words.end = words.words.data() + 2;
    CHECK_THROWS_AS(ferry::copyGraph(&words), ferry::UsageError);

    Sized sized{full(2), nullptr};
    sized.end = sized.entries.data() + 2;
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&sized), doctest::Contains("a part"), ferry::UsageError);
}

TEST_CASE("GraphEnd: in an arena, no object lies where an array of another object ends") {
    const auto check = [](auto tail) {
        Entry entry{4, 0};
        tail.other = &entry;
        for (const auto memory : {ferry::GraphMemory::Heap, ferry::GraphMemory::Arena}) {
            const auto copy = ferry::copyGraph(&tail, memory);
            CHECK(ferry::copyGraph(copy, memory)->other->column == 4);
        }
    };
    check(Tail());
    check(TailObject());
    Tail tail;
    Entry* const first = tail.slots.data();
    tail.other = first + tail.slots.size();
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&tail, ferry::GraphMemory::Arena), doctest::Contains("std::array"), ferry::UsageError);
}

TEST_CASE("GraphEnd: a pointer to the member that follows an array leads to an object with its contents") {
    Followed followed;
    followed.last.column = 7;
    followed.pointer = &followed.last;
    CHECK(ferry::copyGraph(&followed)->pointer->column == 7);

    const auto nested = std::make_unique<Kept<Followed>>();
    nested->place.last.column = 8;
    nested->end = &nested->place.last;
    CHECK(ferry::copyGraph(nested)->end->column == 8);

    Fronts fronts;
    fronts.fronts.resize(3);
    fronts.fronts[1].first.column = 9;
    fronts.pointer = &fronts.fronts[1].first;    // where the array of fronts[0] ends
    for (const auto memory : {ferry::GraphMemory::Heap, ferry::GraphMemory::Arena}) {
        CHECK(ferry::copyGraph(&fronts, memory)->pointer->column == 9);
    }
    fronts.fronts.shrink_to_fit();
    fronts.pointer = fronts.fronts[2].slots.data() + 2;
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&fronts), doctest::Contains("std::array"), ferry::UsageError);
}

TEST_CASE("GraphEnd: the end of objects without numbers is refused, as a pointer to a base class too") {
    const auto row = std::make_unique<BoxRow>();
    row->end = row->boxes.data() + 2;
    CHECK_THROWS_WITH_AS(ferry::copyGraph(row), doctest::Contains("std::array"), ferry::UsageError);
    row->end = nullptr;
    row->lastOfAll = row->boxes.data() + 2;
    CHECK_THROWS_WITH_AS(ferry::copyGraph(row), doctest::Contains("std::array"), ferry::UsageError);
    row->lastOfAll = nullptr;
    row->boxes[1].name = "last";
    row->end = &row->boxes[1];
    CHECK(dynamic_cast<Box&>(*ferry::copyGraph(row)->end).name == "last");

    const auto boxes = std::make_unique<Box[]>(2);
    BoxArray array{2, boxes.get(), boxes.get() + 2};
    CHECK(ferry::copyGraph(&array)->end != nullptr);
    array.count = 0, array.end = boxes.get();
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&array), doctest::Contains("an array without elements (ferry::arrayOf)"), ferry::UsageError);
}

TEST_CASE("GraphEnd: the end of an array is refused wherever the array lies inside of the object") {
    using Pair = std::array<Entry, 2>;
    const auto refuse = [](auto& kept, Pair& pair) {
        kept.end = pair.data() + 2;
        CHECK_THROWS_WITH_AS(ferry::copyGraph(&kept), doctest::Contains("std::array"), ferry::UsageError);
        pair[1].column = 5;
        kept.end = &pair[1];
        CHECK(ferry::copyGraph(&kept)->end->column == 5);
    };
    Kept<std::optional<Pair>> optional;
    CHECK(ferry::copyGraph(&optional)->end == nullptr);
    refuse(optional, optional.place.emplace());
    Kept<std::pair<int, Pair>> pair;
    refuse(pair, pair.place.second);
    Kept<std::variant<int, Pair>> variant;
    CHECK(ferry::copyGraph(&variant)->end == nullptr);
    refuse(variant, variant.place.emplace<Pair>());
    Kept<std::vector<Pair>> vector{std::vector<Pair>(3)};
    refuse(vector, vector.place[2]);
    Kept<std::map<int, Slots>> map;
    refuse(map, map.place[3].slots);
    Kept<std::deque<Slots>> deque;
    refuse(deque, deque.place.emplace_back().slots);
    OnSlots derived;
    refuse(derived, derived.slots);

    const auto table = std::make_unique<Table>();
    table->end = table->cells[1] + 3;
    CHECK_THROWS_WITH_AS(ferry::copyGraph(table), doctest::Contains("C array"), ferry::UsageError);
}

TEST_CASE("GraphEnd: the end of an array is refused when the pointer is met before the object that holds the array") {
    const auto refuse = [](auto root, auto make) {
        using Holder = std::remove_cvref_t<decltype(make)>;
        const auto holder = std::make_unique<std::array<Holder, 2>>();    // the memory behind the first holder may be read
        Holder& first = holder->front();
        root.holder = &first;
        for (const auto memory : {ferry::GraphMemory::Heap, ferry::GraphMemory::Arena}) {
            root.end = first.slots.data() + first.slots.size();
            CHECK_THROWS_WITH_AS(ferry::copyGraph(&root, memory), doctest::Contains("std::array"), ferry::UsageError);
            root.end = &first.slots[1];
            first.slots[1].column = 6;
            CHECK(ferry::copyGraph(&root, memory)->end->column == 6);
        }
    };
    refuse(HolderFirst<Slots*, Slots>(), Slots());
    refuse(HolderLast<Slots*, Slots>(), Slots());
    refuse(HolderFirst<Tail*, Tail>(), Tail());
    refuse(HolderLast<TailObject*, TailObject>(), TailObject());
    refuse(HolderFirst<Ring*, Ring>(), Ring());

    HolderFirst<Followed*, Followed> followed;
    const auto holder = std::make_unique<Followed>();
    followed.holder = holder.get();
    followed.end = &holder->last;    // an object of its own, as always behind an array
    holder->last.column = 4;
    CHECK(ferry::copyGraph(&followed)->end->column == 4);

    HolderFirst<Fronts*, Fronts> fronts;
    const auto middle = std::make_unique<Fronts>();
    middle->fronts.resize(3);
    middle->fronts.shrink_to_fit();
    middle->fronts[1].first.column = 9;
    fronts.holder = middle.get();
    fronts.end = &middle->fronts[1].first;    // where the array of fronts[0] ends
    CHECK(ferry::copyGraph(&fronts)->end->column == 9);
}

TEST_CASE("GraphEnd: the end of an array of a deque or vector is refused when the pointer is met before them") {
    HolderFirst<Queue*, Queue> queue;
    const auto waiting = std::make_unique<Queue>();
    waiting->waiting.resize(3);
    queue.holder = waiting.get();
    queue.end = &waiting->waiting.back() + 1;
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&queue), doctest::Contains("that a graph does not number"), ferry::UsageError);
}

TEST_CASE("GraphEnd: pointers to base classes lead to the end too") {
    Shelf shelf;
    shelf.boxes.resize(3);
    shelf.boxes.shrink_to_fit();
    shelf.first = shelf.boxes.data();
    shelf.end = shelf.boxes.data() + 3;
    shelf.lastOfAll = shelf.boxes.data() + 3;
    const auto copy = ferry::copyGraph(&shelf);
    CHECK(copy->end == static_cast<Figure*>(copy->boxes.data() + 3));
    CHECK(copy->lastOfAll == static_cast<ferry::IntSerializableObject*>(copy->boxes.data() + 3));
    CHECK(copy->first == copy->boxes.data());
}

TEST_CASE("GraphEnd: the ints of an end, and an index behind it") {
    const std::vector<std::int32_t> good{1, 1, 5, 0, 0, 1, -1, 0, -1, 1, 0};
    ferry::detail::GraphReader<Matrix> reader;
    reader.read(good, true);
    const auto graph = reader.take();
    CHECK(graph->rows[0].end == graph->entries.data() + 1);
    std::vector<std::int32_t> bad = good;
    bad[9] = 2;
    ferry::detail::GraphReader<Matrix> refusing;
    CHECK_THROWS_WITH_AS(refusing.read(bad, true), doctest::Contains("or its end"), ferry::SerializationError);
}

TEST_CASE("GraphEnd: a graph with arrays and owners ends") {
    std::array<double, 3> samples{1, 2, 3};
    std::array<Entry, 2> entries{};
    Everything everything{3, samples.data(), 2, entries.data(), std::make_unique<Everything>(), std::make_shared<Everything>()};
    everything.child->sampleCount = 3, everything.child->samples = samples.data();
    everything.share->share = std::make_shared<Everything>();
    for (const bool isShared : {true, false}) {
        if (!isShared) everything.share.reset();
        const auto copy = ferry::copyGraph(&everything);
        CHECK(copy->child->samples == copy->samples);
    }
    everything.child.reset();
    const auto inArena = ferry::copyGraph(&everything, ferry::GraphMemory::Arena);
    CHECK(inArena->samples[2] == 3);
}

#ifdef __cpp_lib_atomic_shared_ptr    // libc++ 19 has no atomic shared_ptr
namespace graphEndTest {

struct AtomicRing {
    static inline int living = 0;
    AtomicRing() { ++living; }
    AtomicRing(const AtomicRing&) = delete;
    AtomicRing& operator=(const AtomicRing&) = delete;
    ~AtomicRing() { --living; }
    std::atomic<std::shared_ptr<AtomicRing>> next;
    FERRY_FIELDS(next)
};

}    // namespace graphEndTest

TEST_CASE("Graph: circles of atomic shared_ptrs end with their graph") {
    using graphEndTest::AtomicRing;
    const auto first = std::make_shared<AtomicRing>(), second = std::make_shared<AtomicRing>();
    first->next = second;
    second->next = first;
    {
        const auto copy = ferry::copyGraph(first.get());
        CHECK(copy->next.load()->next.load().get() == copy.root());
        CHECK(AtomicRing::living == 4);
    }
    CHECK(AtomicRing::living == 2);
    first->next = std::shared_ptr<AtomicRing>();
}
#endif
