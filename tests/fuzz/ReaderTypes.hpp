#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/codec/View.hpp>

// One type for each way in which values travel, by value or behind plain pointers.

namespace ferry::test {

enum class Colour : std::int16_t { Red, Green = 5 };

using Scalars = std::tuple<bool, std::int8_t, std::uint16_t, std::int32_t, std::uint64_t, float, double, char, Colour>;

struct Point {    // its ints are equal to its memory
    int x = 1;
    float y = 2;
};
struct Person {
    std::string name;
    int age = 0;
    double weight = 0;
};

struct Arrays {
    FERRY_FIELDS(names, numbers, flags, packed, points)
    std::array<std::string, 3> names;
    int numbers[3] = {1, 2, 3};
    std::array<bool, 2> flags{};
    std::array<std::array<std::int8_t, 3>, 2> packed{};
    std::vector<std::array<Point, 2>> points;
};

struct Branch {
    FERRY_FIELDS(weight, branches)
    int weight = 0;
    std::vector<Branch> branches;
};

// Two versions of one class.
struct OldRoom {
    FERRY_FIELDS_VERSIONED(1, seats)
    int seats = 30;
};
struct NewRoom {
    FERRY_FIELDS_VERSIONED(3, seats, name, tools, key)
    int seats = 30;
    std::string name = "unnamed";
    std::vector<int> tools{1, 2};
    std::shared_ptr<int> key;
};
template <class Room>
struct House {
    FERRY_FIELDS_VERSIONED(1, rooms, key)
    std::vector<Room> rooms;
    std::shared_ptr<int> key;
};

struct Mass {
    double volume = 1;
    float x = 2, y = 3;
    std::vector<Person> people;
    std::array<Person, 2> guards;
    std::optional<Person> owner;
    std::unique_ptr<Person> tenant;
};
using Names = View<&Person::name>;
using Everybody = View<&Mass::x, &Mass::y, inside<&Mass::people, Names>, inside<&Mass::guards, Names>, inside<&Mass::owner, Names>,
                       inside<&Mass::tenant, Names>>;

struct Shown {    // sends parts of objects, and parts of all elements of a container
    Mass mass;
    std::vector<Mass> more;
    void writeToInts(IntWriter& out) const { out << part<Everybody>(mass) << part<View<&Mass::x, &Mass::y>>(more); }
    void readFromInts(IntReader& in) { in >> part<Everybody>(mass) >> part<View<&Mass::x, &Mass::y>>(more); }
};

struct Filled {    // reads into existing memory
    std::array<short, 3> numbers{1, 2, 3};
    std::array<std::string, 2> names;
    void writeToInts(IntWriter& out) const { out << std::span<const short>(numbers) << std::span<const std::string, 2>(names); }
    void readFromInts(IntReader& in) {
        std::span<short> numbersToFill(numbers);
        std::span<std::string, 2> namesToFill(names);
        in >> numbersToFill >> namesToFill;
    }
};

struct Chain {
    FERRY_FIELDS(next, others)
    std::unique_ptr<Chain> next;
    std::vector<std::unique_ptr<std::string>> others;
};

struct Child;
struct Parent {
    FERRY_FIELDS(children, eldest)
    std::vector<std::shared_ptr<Child>> children;
    std::weak_ptr<Child> eldest;
};
struct Child {
    FERRY_FIELDS(parent, age, friends)
    std::weak_ptr<Parent> parent;
    std::shared_ptr<int> age;
    std::vector<std::weak_ptr<Child>> friends;
};

struct Nothing {
    FERRY_FIELDS()
};

struct Watched {    // can be neither copied nor moved
    std::atomic<int> done{0};
    std::string name;
};
struct Row : std::vector<int> {    // a container with its own field
    FERRY_FIELDS_AFTER(std::vector<int>, number)
    int number = 0;
};
struct Ranking {    // a map whose order has a state
    FERRY_FIELDS(places)
    std::map<int, std::string, bool (*)(int, int)> places{[](int left, int right) { return left > right; }};
};
struct Roomy {    // takes much memory for one int
    FERRY_FIELDS_SOME(number)
    int number = 0;
    std::array<std::byte, 1020> notSent{};
};
struct Limb {    // deletes what its raw pointers lead to
    FERRY_FIELDS(value, ferry::owned(first), ferry::owned(second), ferry::ownedArray(numbers, count), ferry::ownedArray(names, count),
                 ferry::ownedArray(more, moreCount))
    int value = 0;
    Limb* first = nullptr;
    const Limb* second = nullptr;
    short count = 0;
    std::uint16_t* numbers = nullptr;
    std::string* names = nullptr;
    std::size_t moreCount = 0;
    Limb* more = nullptr;
    Limb() = default;
    Limb(const Limb&) = delete;
    Limb& operator=(const Limb&) = delete;
    ~Limb() {
        delete first;
        delete second;
        delete[] numbers;
        delete[] names;
        delete[] more;
    }
};
struct Station {    // travels in graphs that are values
    std::string name;
    std::vector<Station*> next;
    std::shared_ptr<std::string> line;
    FERRY_FIELDS(name, next, line)
};
struct Silent {    // its codec cannot know that it writes nothing
    void writeToInts(IntWriter&) const {}
    void readFromInts(IntReader&) {}
};

}    // namespace ferry::test
