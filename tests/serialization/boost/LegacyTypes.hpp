#pragma once

#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/date_time/gregorian/greg_serialize.hpp>
#include <boost/date_time/gregorian/gregorian.hpp>
#include <boost/optional.hpp>
#include <boost/serialization/access.hpp>
#include <boost/serialization/base_object.hpp>
#include <boost/serialization/export.hpp>
#include <boost/serialization/list.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/optional.hpp>
#include <boost/serialization/shared_ptr.hpp>
#include <boost/serialization/split_member.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/unique_ptr.hpp>
#include <boost/serialization/unordered_map.hpp>
#include <boost/serialization/variant.hpp>
#include <boost/serialization/vector.hpp>
#include <boost/serialization/version.hpp>
#include <boost/serialization/weak_ptr.hpp>
#include <boost/variant.hpp>

#include <ferry/serialization/boost/BoostBridge.hpp>

// Classes of an existing program. They know Boost.Serialization and nothing of Ferry.

namespace legacy {

enum class Season { Spring, Summer, Autumn, Winter };

/// A class with an intrusive serialize() and private members.
class Account {
public:
    Account() = default;
    Account(std::string owner, long cents) : owner_(std::move(owner)), cents_(cents) {}
    bool operator==(const Account&) const = default;

private:
    friend class boost::serialization::access;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& owner_& cents_;
    }
    std::string owner_;
    long cents_ = 0;
};

/// A class with a non-intrusive serialize(), see below.
struct Place {
    double latitude = 0;
    float height = 0;
    Season season = Season::Spring;
    bool isOpen = false;
    short floors[3] = {};
    bool operator==(const Place&) const = default;
};

/// A class with different functions to save and to load. Derived data are not written.
class Squares {
public:
    Squares() = default;
    explicit Squares(std::vector<int> roots) : roots_(std::move(roots)) { fill(); }
    const std::vector<int>& squares() const { return squares_; }
    bool operator==(const Squares&) const = default;

private:
    friend class boost::serialization::access;
    template <class Archive>
    void save(Archive& archive, unsigned /*version*/) const {
        archive << roots_;
    }
    template <class Archive>
    void load(Archive& archive, unsigned /*version*/) {
        archive >> roots_;
        fill();
    }
    BOOST_SERIALIZATION_SPLIT_MEMBER()
    void fill() {
        squares_.clear();
        for (const int root : roots_) squares_.push_back(static_cast<int>(static_cast<unsigned>(root) * static_cast<unsigned>(root)));
    }
    std::vector<int> roots_;
    std::vector<int> squares_;
};

/// A class with a field that was added in version 2.
struct Settings {
    int colours = 0;
    std::string title;
    bool operator==(const Settings&) const = default;
    template <class Archive>
    void serialize(Archive& archive, unsigned version) {
        archive& colours;
        if (version >= 2) archive& title;
    }
};

/// A graph of raw, tracked pointers. The arena owns the nodes.
struct Node {
    int value = 0;
    std::vector<Node*> next;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& value& next;
    }
};

/// Owns its children and knows its parent, all through shared pointers.
struct Member {
    std::string name;
    std::vector<std::shared_ptr<Member>> children;
    std::weak_ptr<Member> parent;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& name& children& parent;
    }
};

struct Household {
    std::shared_ptr<Member> head;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& head;
    }
};

class Animal {
public:
    virtual ~Animal() = default;
    virtual std::string sound() const = 0;
    int age = 0;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& age;
    }
};

class Dog final : public Animal {
public:
    std::string sound() const override { return "woof, " + name; }
    std::string name;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& boost::serialization::base_object<Animal>(*this) & name;
    }
};

class Cow final : public Animal {
public:
    std::string sound() const override { return "moo"; }
    std::vector<double> milk;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& boost::serialization::base_object<Animal>(*this) & milk;
    }
};

/// A class that is exported too, and not derived from Animal.
class Rock {
public:
    virtual ~Rock() = default;
    int weight = 0;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& weight;
    }
};

struct Zoo {
    std::vector<std::unique_ptr<Animal>> animals;
    std::shared_ptr<Animal> favourite;
    std::shared_ptr<Animal> oldest;
    std::unique_ptr<Rock> rock;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& animals& favourite& oldest& rock;
    }
};

/// Types of Boost, and standard containers with Boost's functions.
struct Diary {
    boost::gregorian::date day{2026, 11, 21};
    boost::optional<std::string> note;
    boost::variant<int, std::string> weather;
    std::map<std::string, std::vector<int>> marks;
    std::unordered_map<int, std::string> rooms;
    std::list<Account> accounts;
    std::vector<bool> flags;
    std::wstring wide;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& day& note& weather& marks& rooms& accounts& flags& wide;
    }
    bool operator==(const Diary&) const = default;
};

/// Plain data that may be copied bytewise. An object that is serialized alone still counts as an object.
struct Sample {
    double x = 0;
    double y = 0;
    static inline int serializeCalls = 0;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        ++serializeCalls;
        archive& x& y;
    }
};

Diary makeDiary();
Zoo makeZoo();
/// Makes four nodes; one of them is reached twice, and there is a cycle. The first node is the root.
std::vector<std::unique_ptr<Node>> makeGraph();
/// Makes a parent with two children. One child knows the other.
Household makeHousehold();

}    // namespace legacy

namespace boost::serialization {

template <class Archive>
void serialize(Archive& archive, legacy::Place& place, unsigned /*version*/) {
    archive& place.latitude& place.height& place.season& place.isOpen& place.floors;
}

}    // namespace boost::serialization

BOOST_CLASS_VERSION(legacy::Settings, 2)
BOOST_SERIALIZATION_ASSUME_ABSTRACT(legacy::Animal)
BOOST_IS_BITWISE_SERIALIZABLE(legacy::Sample)
BOOST_CLASS_EXPORT_KEY(legacy::Dog)
BOOST_CLASS_EXPORT_KEY(legacy::Cow)
BOOST_CLASS_EXPORT_KEY(legacy::Rock)

template <>
inline constexpr bool ferry::useBoost<legacy::Account> = true;
template <>
inline constexpr bool ferry::useBoost<legacy::Place> = true;
template <>
inline constexpr bool ferry::useBoost<legacy::Squares> = true;
template <>
inline constexpr bool ferry::useBoost<legacy::Settings> = true;
template <>
inline constexpr bool ferry::useBoost<legacy::Zoo> = true;
template <>
inline constexpr bool ferry::useBoost<legacy::Diary> = true;
template <>
inline constexpr bool ferry::useBoost<legacy::Household> = true;
