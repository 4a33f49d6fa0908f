#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/codec/View.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/graph/PartGraph.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>

// Pointers to the end of elements that a graph meets later. The memory behind the elements belongs to others and must not be read. The
// address sanitizer sees a read behind memory of the heap. In other builds the elements of a Page show one.

namespace graphEarlyEndTest {

struct Item {
    int number = 0;
    Item* other = nullptr;
    FERRY_FIELDS(number, other)
};
class Part : public ferry::IntSerializableObject {
public:
    int size = 0;
};
struct Labelled {
    virtual ~Labelled() = default;
    std::string label;
};
class Bolt : public Labelled, public Part {
public:
    FERRY_CLASS(graphEarlyEndTest::Bolt)
    FERRY_FIELDS(size, label)
};
struct Marked {
    int number = 0;
    ferry::GraphMark mark;
    FERRY_FIELDS(number)
};

/// The vector lies in another object.
template <class T>
struct Store {
    std::vector<T> items;
    FERRY_FIELDS(items)
};
template <class T, class Pointee = T>
struct PointerFirst {
    Pointee* pointer = nullptr;
    std::vector<Pointee*> more;
    Store<T>* store = nullptr;
    FERRY_FIELDS(pointer, more, store)
};
/// The pointer lies two objects before the vector.
template <class T>
struct Deep {
    struct Middle {
        std::unique_ptr<Store<T>> store;
        FERRY_FIELDS(store)
    };
    std::vector<std::pair<T*, T*>> ranges;
    std::shared_ptr<Middle> middle;
    FERRY_FIELDS(ranges, middle)
};
template <class T, class Pointee = T>
struct ArrayLast {
    Pointee* pointer = nullptr;
    std::size_t count = 0;
    T* first = nullptr;
    FERRY_FIELDS(pointer, ferry::arrayOf(first, count))
};
struct TwoArrays {
    Item* pointer = nullptr;
    std::size_t firstCount = 0;
    Item* first = nullptr;
    std::size_t secondCount = 0;
    Item* second = nullptr;
    Item* again = nullptr;
    FERRY_FIELDS(ferry::arrayOf(first, firstCount), pointer, ferry::arrayOf(second, secondCount), again)
};
struct OwnerLast {
    Item* pointer = nullptr;
    std::size_t count = 0;
    Item* first = nullptr;
    std::shared_ptr<Item> owner;
    FERRY_FIELDS(pointer, ferry::arrayOf(first, count), owner)
};
struct Slots {
    std::array<Item, 2> slots;
    FERRY_FIELDS(slots)
};
struct SlotsLast {
    Item* end = nullptr;
    std::unique_ptr<Slots> holder;
    FERRY_FIELDS(end, holder)
};
/// Only the view of this class leads to the vector.
struct Seen {
    Item* end = nullptr;
    std::unique_ptr<Store<Item>> store;
    int unseen = 0;
    FERRY_FIELDS(end, store, unseen)
};

template <class T>
std::vector<T> full(std::size_t count) {
    std::vector<T> items(count);
    items.shrink_to_fit();
    return items;
}

/// Elements at the front of a larger memory. The bytes behind them are no objects: a call of a virtual function there crashes.
template <class T>
class Page {
public:
    explicit Page(std::size_t count) : count_(count) {
        for (std::size_t i = 0; i < count; ++i) new (first() + i) T();
        for (std::byte* behind = memory_.data() + count * sizeof(T); behind != memory_.data() + memory_.size(); ++behind)
            *behind = std::byte{0x2b};
    }
    Page(const Page&) = delete;
    Page& operator=(const Page&) = delete;
    ~Page() {
        for (std::size_t i = 0; i < count_; ++i) first()[i].~T();
    }
    T* first() { return reinterpret_cast<T*>(memory_.data()); }

private:
    const std::size_t count_;
    alignas(T) std::array<std::byte, 16 * sizeof(T)> memory_{};
};

template <class Root>
void requireRefused(const Root& root, const char* text = "met before the vector") {
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&root), doctest::Contains(text), ferry::UsageError);
}

}    // namespace graphEarlyEndTest

template <>
struct ferry::IdentityMapFor<graphEarlyEndTest::Marked> {
    using type = ferry::MarkMap<&graphEarlyEndTest::Marked::mark>;
};

using namespace graphEarlyEndTest;

TEST_CASE("Early end: a pointer to the end of a vector of a later object is refused, and nothing behind the vector is read") {
    const auto refuse = [](auto item) {
        using T = decltype(item);
        Store<T> store{full<T>(3)};
        requireRefused(PointerFirst<T>{store.items.data() + 3, {}, &store});
        requireRefused(PointerFirst<T>{nullptr, {nullptr, store.items.data() + 3}, &store});
        requireRefused(PointerFirst<T>{store.items.data() + 1, {}, &store});    // an element, as ever

        Deep<T> deep{{}, std::make_shared<typename Deep<T>::Middle>()};
        deep.middle->store = std::make_unique<Store<T>>(Store<T>{full<T>(2)});
        T* const first = deep.middle->store->items.data();
        deep.ranges = {{nullptr, first + 2}};
        requireRefused(deep);

        T own;
        const auto copy = ferry::copyGraph(std::make_unique<PointerFirst<T>>(PointerFirst<T>{&own, {&own}, &store}));
        CHECK(copy->pointer == copy->more[0]);
        CHECK(copy->store->items.size() == 3);
    };
    refuse(Item());
    refuse(Bolt());
    refuse(Marked());
}

TEST_CASE("Early end: pointers to base classes at the end of a later vector are refused") {
    Store<Bolt> store{full<Bolt>(3)};
    requireRefused(PointerFirst<Bolt, Part>{store.items.data() + 3, {}, &store});
    requireRefused(PointerFirst<Bolt, ferry::IntSerializableObject>{nullptr, {store.items.data() + 3}, &store});
    Bolt bolt;
    bolt.label = "own";
    const PointerFirst<Bolt, Part> right{&bolt, {&bolt}, &store};
    CHECK(dynamic_cast<Bolt&>(*ferry::copyGraph(&right)->pointer).label == "own");
}

TEST_CASE("Early end: a pointer to the end of a later array behind a pointer is refused") {
    Page<Item> items(3);
    requireRefused(ArrayLast<Item>{items.first() + 3, 3, items.first()});
    requireRefused(ArrayLast<Item>{items.first(), 0, items.first()}, "an array without elements (ferry::arrayOf)");
    Page<Bolt> bolts(2);
    requireRefused(ArrayLast<Bolt>{bolts.first() + 2, 2, bolts.first()});
    requireRefused(ArrayLast<Bolt, Part>{bolts.first() + 2, 2, bolts.first()});
    Page<Marked> marked(2);
    requireRefused(ArrayLast<Marked>{marked.first() + 2, 2, marked.first()});
}

TEST_CASE("Early end: an empty vector gives null, and its memory is refused") {
    Store<Item> store;
    CHECK(ferry::copyGraph(std::make_unique<PointerFirst<Item>>(PointerFirst<Item>{store.items.data(), {}, &store}))->pointer == nullptr);
    store.items.reserve(4);
    requireRefused(PointerFirst<Item>{store.items.data(), {}, &store});
    requireRefused(PointerFirst<Item>{store.items.data() + 4, {}, &store});
}

TEST_CASE("Early end: where one array ends and the next one begins, a pointer leads to the element") {
    Page<Item> items(4);
    Item* const first = items.first();
    first[2].number = 5;
    // Both arrays are met before the last pointer. The one between them is met before the array to which it leads.
    TwoArrays arrays{nullptr, 2, first, 2, first + 2, first + 2};
    const auto copy = ferry::copyGraph(&arrays);
    CHECK(copy->again == copy->second);
    CHECK(copy->again->number == 5);
    arrays.pointer = first + 2;
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&arrays), doctest::Contains("list both before the pointer"), ferry::UsageError);
}

TEST_CASE("Early end: an object that a later owner holds at the end of an array is that object") {
    struct Free {
        void operator()(Item* item) const { item->number = 0; }
    };
    Page<Item> items(3);
    items.first()[2].number = 7;
    const OwnerLast root{items.first() + 2, 2, items.first(), std::shared_ptr<Item>(items.first() + 2, Free())};
    const auto copy = ferry::copyGraph(&root);
    CHECK(copy->pointer == copy->owner.get());
    CHECK(copy->pointer->number == 7);
}

TEST_CASE("Early end: the end of an array member of a later object is refused") {
    SlotsLast root{nullptr, std::make_unique<Slots>()};
    root.end = root.holder->slots.data() + 2;
    requireRefused(root, "std::array");
    root.end = root.holder->slots.data() + 1;    // an object of its own, as ever
    root.holder->slots[1].number = 3;
    CHECK(ferry::copyGraph(&root)->end->number == 3);
}

TEST_CASE("Early end: a part of a graph is searched as far as its view leads") {
    using All = ferry::View<&Seen::end, &Seen::store>;
    Seen seen{nullptr, std::make_unique<Store<Item>>(Store<Item>{full<Item>(2)})};
    seen.end = seen.store->items.data() + 2;
    CHECK_THROWS_WITH_AS(ferry::copyGraph(ferry::graph(ferry::part<All>(seen))), doctest::Contains("met before the vector"),
                         ferry::UsageError);
    Item own;
    own.number = 4;
    seen.end = &own;
    CHECK(ferry::copyGraph(ferry::graph(ferry::part<All>(seen)))->end->number == 4);
}
