#include <ferry/serialization/codec/CodecPointer.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/UnknownClass.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

namespace pointertest {

class Shape : public ferry::IntSerializableObject {
public:
    virtual int area() const = 0;
};

class Circle : public Shape {
public:
    FERRY_CLASS(pointertest::Circle)
    FERRY_FIELDS(radius)
    Circle() = default;
    explicit Circle(int theRadius) : radius(theRadius) {}
    int area() const override { return 3 * radius * radius; }
    int radius = 0;
};

class Group : public Shape {
public:
    FERRY_CLASS(pointertest::Group)
    FERRY_FIELDS(members)
    int area() const override {
        int sum = 0;
        for (const auto& member : members) sum += member->area();
        return sum;
    }
    std::vector<std::shared_ptr<Shape>> members;
};

class Pebble : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(pointertest::Pebble)
    FERRY_FIELDS(grams)
    long grams = 0;
};

struct Left : virtual ferry::IntSerializableObject {
    int left = 1;
};
struct Right : virtual ferry::IntSerializableObject {
    int right = 2;
};
struct Both : Left, Right {
    FERRY_CLASS(pointertest::Both)
    FERRY_FIELDS(left, right)
};

struct Pair {
    FERRY_FIELDS(left, right)
    std::shared_ptr<Shape> left, right;
};

struct Confused {    // a forged message: the same object with two types
    FERRY_FIELDS(number, text)
    std::shared_ptr<long> number;
    std::shared_ptr<std::string> text;
};

struct Child;
struct Parent {
    FERRY_FIELDS(children)
    std::vector<std::shared_ptr<Child>> children;
};
struct Child {
    FERRY_FIELDS(parent, age)
    std::weak_ptr<Parent> parent;
    int age = 0;
};

struct Box {
    FERRY_FIELDS(inner, shared)
    std::unique_ptr<Box> inner;
    std::shared_ptr<Box> shared;
};

struct Ring {
    FERRY_FIELDS(next)
    std::shared_ptr<Ring> next;
};

}    // namespace pointertest

using namespace pointertest;
using namespace ferry::test;

static const std::int32_t circleId = ferry::detail::classIdOf("pointertest::Circle");
static const std::int32_t groupId = ferry::detail::classIdOf("pointertest::Group");
static const std::int32_t pebbleId = ferry::detail::classIdOf("pointertest::Pebble");

TEST_CASE("CodecPointer: a unique_ptr to a base class comes back as its dynamic type") {
    const std::unique_ptr<Shape> shape = std::make_unique<Circle>(2);
    const auto read = checkTravel<std::unique_ptr<Shape>>(std::make_unique<Circle>(2), {circleId, 2});
    REQUIRE(read != nullptr);
    CHECK(dynamic_cast<const Circle*>(read.get()) != nullptr);
    CHECK(read->area() == shape->area());
    CHECK(checkTravel(std::unique_ptr<Shape>(), {0}) == nullptr);
    CHECK(valueOf<std::unique_ptr<const Shape>>({circleId, 2})->area() == 12);
}

TEST_CASE("CodecPointer: containers of pointers keep order and types") {
    std::vector<std::unique_ptr<ferry::IntSerializableObject>> objects;
    objects.push_back(std::make_unique<Pebble>());
    objects.push_back(nullptr);
    objects.push_back(std::make_unique<Circle>(1));
    const auto read = checkTravel<decltype(objects)>(std::move(objects), {3, pebbleId, 0, 0, 0, circleId, 1});
    CHECK(dynamic_cast<const Pebble*>(read[0].get()) != nullptr);
    CHECK(read[1] == nullptr);
    CHECK(dynamic_cast<const Circle*>(read[2].get()) != nullptr);
}

TEST_CASE("CodecPointer: virtual and multiple bases") {
    std::unique_ptr<Right> both = std::make_unique<Both>();
    both->right = 7;
    const auto read = valueOf<std::unique_ptr<Right>>(intsOf(both));
    CHECK(read->right == 7);
    CHECK(dynamic_cast<Left*>(read.get())->left == 1);
}

TEST_CASE("CodecPointer: a unique_ptr to a plain type is a flag and the value") {
    CHECK(*checkTravel(std::make_unique<int>(5), {1, 5}) == 5);
    CHECK(checkTravel(std::unique_ptr<std::string>(), {0}) == nullptr);
    CHECK(errorOf<std::unique_ptr<int>>({2, 5}) == "int 0: expected 0 or 1, found 2");
}

TEST_CASE("CodecPointer: an unknown class and a class of another kind are refused") {
    CHECK_THROWS_AS(valueOf<std::unique_ptr<Shape>>({12345, 0}), ferry::UnknownClass);
    CHECK(errorOf<std::unique_ptr<Shape>>({12345, 0}).find("int 0: expected the ID of a registered class, found 12345") == 0);
    CHECK(errorOf<std::unique_ptr<Shape>>({pebbleId, 0, 0}) ==
          "int 0: expected an object of pointertest::Shape, found one of pointertest::Pebble, which does not derive from it");
    CHECK(errorOf<std::vector<std::unique_ptr<Shape>>>({2, circleId, 1, circleId}).find("int 4 in pointertest::Circle at [1].radius") == 0);
}

TEST_CASE("CodecPointer: an object that is shared travels once and is shared again") {
    Pair pair;
    pair.left = pair.right = std::make_shared<Circle>(3);
    const Pair read = checkTravel(pair, {-1, circleId, 3, 1});
    CHECK(read.left == read.right);
    CHECK(read.left.use_count() == 2);
    CHECK(read.left->area() == 27);

    pair.right = std::make_shared<Circle>(3);
    const Pair apart = checkTravel(pair, {-1, circleId, 3, -2, circleId, 3});
    CHECK(apart.left != apart.right);
    CHECK(checkTravel(Pair(), {0, 0}).left == nullptr);
}

TEST_CASE("CodecPointer: sharing goes through every level, and through pointers to other bases") {
    auto group = std::make_shared<Group>();
    const auto circle = std::make_shared<Circle>(1);
    group->members = {circle, circle};
    const std::pair<std::shared_ptr<ferry::IntSerializableObject>, std::shared_ptr<Circle>> pair{group, circle};
    const auto read = checkTravel(pair, {-1, groupId, 2, -2, circleId, 1, 2, 2});
    const auto readGroup = std::dynamic_pointer_cast<Group>(read.first);
    REQUIRE(readGroup != nullptr);
    CHECK(readGroup->members[0] == readGroup->members[1]);
    CHECK(readGroup->members[0] == read.second);
}

TEST_CASE("CodecPointer: plain types are shared too, each type for itself") {
    const auto number = std::make_shared<int>(5);
    const std::vector<std::shared_ptr<int>> numbers{number, number, std::make_shared<int>(5), nullptr};
    const auto read = checkTravel(numbers, {4, -1, 5, 1, -2, 5, 0});
    CHECK(read[0] == read[1]);
    CHECK(read[0] != read[2]);
}

TEST_CASE("CodecPointer: a forged number cannot make one object two types") {
    CHECK(errorOf<Confused>({-1, 5, 0, 1}).find("int 3 at text: expected a shared object of std::") == 0);
    using Mixed = std::pair<std::shared_ptr<Shape>, std::shared_ptr<long>>;
    CHECK(errorOf<Mixed>({-1, circleId, 3, 1}) ==
          "int 3 at [1]: expected a shared object of long, found object 1, which is of pointertest::Circle");
    using Siblings = std::pair<std::shared_ptr<Pebble>, std::shared_ptr<Shape>>;
    CHECK(errorOf<Siblings>({-1, pebbleId, 5, 0, 1}).find("expected a shared object of pointertest::Shape") != std::string::npos);
    CHECK(errorOf<Pair>({2, circleId, 3, 0}) == "int 0 at left: expected the number of a shared object from 0 to 0, found 2");
    CHECK(errorOf<Pair>({-2, circleId, 3, 0}) == "int 0 at left: expected the announcement of shared object 1, found that of 2");
}

TEST_CASE("CodecPointer: an object that owns itself is refused on both sides") {
    auto ring = std::make_shared<Ring>();
    ring->next = ring;
    CHECK_THROWS_WITH_AS(intsOf(ring), doctest::Contains("weak_ptr"), ferry::UsageError);
    ring->next = nullptr;
    CHECK(errorOf<std::shared_ptr<Ring>>({-1, 1}) ==
          "int 1 at next: expected a shared object that does not own itself, found a shared object that owns itself");
}

TEST_CASE("CodecPointer: weak pointers lead back to their owners") {
    auto parent = std::make_shared<Parent>();
    parent->children.push_back(std::make_shared<Child>());
    parent->children[0]->parent = parent;
    parent->children[0]->age = 9;
    const auto read = checkTravel(parent, {-1, 1, -2, 1, 9});
    REQUIRE(read->children.size() == 1);
    CHECK(read->children[0]->parent.lock() == read);
    CHECK(read->children[0]->age == 9);
}

TEST_CASE("CodecPointer: a weak pointer whose object nobody else brings is empty afterwards") {
    const auto number = std::make_shared<int>(5);
    CHECK(intsOf(std::weak_ptr<int>(number)) == Ints{-1, 5});
    CHECK(intsOf(std::weak_ptr<int>()) == Ints{0});
    std::weak_ptr<int> read;
    {
        const Ints ints{-1, 5};
        ferry::IntReader in(ints);
        in >> read;
        CHECK(*read.lock() == 5);
    }
    CHECK(read.expired());
}

TEST_CASE("CodecPointer: a temporary object is not taken for another at its address") {
    ferry::IntBuffer buffer;
    {
        ferry::IntWriter out(buffer);
        for (int i = 0; i < 10; ++i) out << std::make_shared<int>(i);
    }
    CHECK(buffer.size() == 20);
}

TEST_CASE("CodecPointer: what is nested too deep is refused") {
    std::shared_ptr<Ring> chain;
    for (int i = 0; i < 1000; ++i) {
        auto next = std::make_shared<Ring>();
        next->next = std::move(chain);
        chain = std::move(next);
    }
    CHECK_THROWS_WITH_AS(intsOf(chain), doctest::Contains("nested deeper than 64 levels"), ferry::UsageError);

    ferry::IntBuffer buffer;
    {
        ferry::IntWriter out(buffer);
        out.setMaxDepth(5000);
        out << chain;
    }
    std::shared_ptr<Ring> read;
    ferry::IntReader shallow(buffer.ints());
    CHECK_THROWS_AS(shallow >> read, ferry::SerializationError);
    ferry::IntReader deep(buffer.ints(), ferry::ObjectFactory::global(), {.depth = 5000});
    deep >> read;
    deep.expectEnd();
    int length = 0;
    for (auto link = read; link != nullptr; link = link->next) ++length;
    CHECK(length == 1000);
}

TEST_CASE("CodecPointer: after a failed read another type may be tried from the same place") {
    const auto circle = std::make_shared<Circle>(3);
    const Ints ints = intsOf(Pair{circle, circle});
    ferry::IntReader in(ints);
    Confused wrong;
    CHECK_THROWS_AS(in >> wrong, ferry::SerializationError);
    Pair right;
    in >> right;
    in.expectEnd();
    CHECK(right.left->area() == 27);
}

TEST_CASE("shared_ptr: a chain of owners that would be destroyed by too deep a recursion is refused") {
    const auto chainOfRings = [](std::int32_t length) {    // each ring owns the previous one
        Ints ints{length};
        for (std::int32_t i = 1; i <= length; ++i) ints.insert(ints.end(), {-i, i - 1});
        return ints;
    };
    CHECK(valueOf<std::vector<std::shared_ptr<Ring>>>(chainOfRings(10'000)).size() == 10'000);
    const std::string found = errorOf<std::vector<std::shared_ptr<Ring>>>(chainOfRings(300'000));
    CHECK(found.find("expected shared objects that own each other in chains of at most 10000, found a longer one") != std::string::npos);
}

TEST_CASE("shared_ptr: levels of unique_ptr between owners count too") {
    Ints ints{1000};
    for (std::int32_t i = 1; i <= 1000; ++i) {
        ints.push_back(-i);
        for (int level = 0; level < 40; ++level) ints.push_back(1);
        ints.insert(ints.end(), {0, i - 1});
        for (int level = 0; level < 40; ++level) ints.push_back(0);
    }
    CHECK(errorOf<std::vector<std::shared_ptr<Box>>>(ints).find("chains of at most 10000") != std::string::npos);
}
