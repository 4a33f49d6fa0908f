#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/codec/View.hpp>

// Every kind of member that an object of a graph can have: its type, how it is filled, and how it is described as text.

namespace ferry::test::pairs {

/// Counts the live objects of all threads. No object of a destroyed graph may be left.
struct Counted {
    Counted() noexcept { ++living; }
    Counted(const Counted&) noexcept { ++living; }
    Counted& operator=(const Counted&) = default;
    ~Counted() { --living; }
    static inline std::atomic<int> living = 0;
};

struct Item : Counted {
    int number = 0;
    std::string name;
    FERRY_FIELDS(number, name)
};

class Shape : public IntSerializableObject, public Counted {
public:
    Shape* next = nullptr;
    int number = 0;
};
class Round : public Shape {
public:
    FERRY_CLASS(ferry::test::pairs::Round)
    FERRY_FIELDS(number, next, radius)
    double radius = 0;
};
struct Titled {
    virtual ~Titled() = default;
    std::string title;
};
class Square : public Titled, public Shape {
public:
    FERRY_CLASS(ferry::test::pairs::Square)
    FERRY_FIELDS(number, next, title)
};

/// A class hierarchy without raw pointers, so that its objects travel outside of graphs too.
class Form : public IntSerializableObject, public Counted {
public:
    int number = 0;
};
class Disc : public Form {
public:
    FERRY_CLASS(ferry::test::pairs::Disc)
    FERRY_FIELDS_VERSIONED(1, number, radius)
    double radius = 0;
};
class Label : public Titled, public Form {
public:
    FERRY_CLASS(ferry::test::pairs::Label)
    FERRY_FIELDS(number, title)
};

struct Signal {
    int count = 0;
    double* samples = nullptr;
    FERRY_FIELDS(arrayOf(samples, count))
};
struct Crowd {
    std::size_t count = 0;
    Item* items = nullptr;
    FERRY_FIELDS(arrayOf(items, count))
};
struct Plain {
    short code = 0;
    std::string text;
};
struct Base {
    int below = 0;
    FERRY_FIELDS(below)
};
struct Derived : Base {
    std::string above;
    FERRY_FIELDS(baseOf<Base>(*this), above)
};
struct Shown {
    int seen = 0;
    int hidden = 0;
    std::vector<int> more;
};
using ShownView = View<&Shown::seen, &Shown::more>;

/// The objects that the members of one graph point to. World owns the objects that the members do not own.
struct World {
    std::vector<Item>& items;    // the items of the root
    std::vector<std::shared_ptr<Item>> shares{};
    std::vector<std::shared_ptr<Shape>> shapes{};
    std::vector<std::unique_ptr<Item>> loose{};
    std::vector<std::unique_ptr<Shape>> looseShapes{};
    std::vector<std::unique_ptr<double[]>> samples{};
    std::vector<std::unique_ptr<Item[]>> crowds{};
};

/// Describes the members of a graph as text. Two graphs have equal texts when they have the same contents and the same shape.
class Teller {
public:
    explicit Teller(const std::vector<Item>& items) : items_(items) {}
    void operator()(const std::string& word) { text_ += word + ' '; }
    void operator()(long long number) { text_ += std::to_string(number) + ' '; }
    /// Adds the number of the object in the order of the visits. At the first visit, adds its contents too.
    void tell(const Item* item);
    void tell(const Shape* shape);
    const std::string& text() const { return text_; }
    bool isNew(const void* object);

private:
    const std::vector<Item>& items_;
    std::map<const void*, int> numbers_{};
    std::string text_{};
};

/// The kinds: name, type, whether the kind needs a graph, whether the kind owns its object.
// clang-format off
#define FERRY_PAIR_KINDS(kind_) \
    kind_(Number, double, false, false) \
    kind_(Text, std::string, false, false) \
    kind_(Numbers, std::vector<int>, false, false) \
    kind_(Bits, std::vector<bool>, false, false) \
    kind_(BulkArray, Signal, true, false) \
    kind_(ObjectArray, Crowd, true, false) \
    kind_(Unique, std::unique_ptr<Item>, false, true) \
    kind_(Shared, std::shared_ptr<Item>, false, true) \
    kind_(Weak, std::weak_ptr<Item>, false, true) \
    kind_(Raw, Item*, true, false) \
    kind_(Element, const Item*, true, false) \
    kind_(UniqueShape, std::unique_ptr<Shape>, true, true) \
    kind_(SharedShape, std::shared_ptr<Shape>, true, true) \
    kind_(RawShape, Shape*, true, false) \
    kind_(UniqueForm, std::unique_ptr<Form>, false, true) \
    kind_(OptionalOwner, std::optional<std::unique_ptr<Item>>, false, true) \
    kind_(VariantOwner, OwnerVariant, false, true) \
    kind_(PointerMap, PointerMapType, true, false) \
    kind_(PointerSet, std::set<Item*>, true, false) \
    kind_(Owners, std::vector<std::unique_ptr<Item>>, false, true) \
    kind_(Nested, Plain, false, false) \
    kind_(WithBase, Derived, false, false) \
    kind_(Pointers, std::vector<Item*>, true, false) \
    kind_(PointerArray, PointerArrayType, true, false) \
    kind_(Block, std::vector<Plain>, false, false) \
    kind_(FixedArray, FixedArrayType, false, false) \
    kind_(Dictionary, DictionaryType, false, false) \
    kind_(Viewed, Shown, false, false) \
    kind_(EndOfBlock, EndPointer, true, false)
// clang-format on

using OwnerVariant = std::variant<int, std::unique_ptr<Item>, std::shared_ptr<Item>>;
using PointerMapType = std::map<int, Item*>;
using DictionaryType = std::map<std::string, Plain>;
using PointerArrayType = std::array<Item*, 3>;
using FixedArrayType = std::array<Plain, 2>;
/// A pointer to an element, and a pointer to the end of the elements.
struct EndPointer {
    Item* begin = nullptr;
    Item* end = nullptr;
    FERRY_FIELDS(begin, end)
};

#define FERRY_PAIR_KIND(name_, type_, needsGraph_, owns_)       \
    struct name_ {                                              \
        static constexpr const char* name = #name_;             \
        using Type = type_;                                     \
        static constexpr bool needsGraph = needsGraph_;         \
        static constexpr bool owns = owns_;                     \
        static void fill(Type& member, World& world, int node); \
        static void tell(Teller& teller, const Type& member);   \
    };
namespace kinds {
FERRY_PAIR_KINDS(FERRY_PAIR_KIND)
}    // namespace kinds
#undef FERRY_PAIR_KIND

#define FERRY_PAIR_NAME(name_, ...) kinds::name_,
using Kinds = std::tuple<FERRY_PAIR_KINDS(FERRY_PAIR_NAME) void>;
#undef FERRY_PAIR_NAME
inline constexpr std::size_t kindCount = std::tuple_size_v<Kinds> - 1;

}    // namespace ferry::test::pairs

template <>
struct ferry::Codec<ferry::test::pairs::Shown> : ferry::ViewCodec<ferry::test::pairs::Shown, ferry::test::pairs::ShownView> {};
