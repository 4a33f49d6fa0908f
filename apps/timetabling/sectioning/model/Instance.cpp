#include <ferry/apps/timetabling/sectioning/model/Instance.hpp>

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include <fmt/format.h>

#include <ferry/apps/timetabling/model/CheckCount.hpp>

namespace timetabling::sectioning {

namespace {

/// Checks the parts of an instance one after the other.
class InstanceCheck {
public:
    explicit InstanceCheck(const Instance& instance) : instance_(instance) {}

    void run() const {
        checkCount("days", instance_.dayCount, 1, limits::DayCount);
        checkCount("weeks", instance_.weekCount, 1, limits::WeekCount);
        checkCount("slots of a day", instance_.slotsPerDay, 1, limits::SlotsPerDay);
        checkCount("rooms", countOf(instance_.rooms), 0, limits::RoomCount);
        checkCount("classes", countOf(instance_.classes), 1, limits::ClassCount);
        checkCount("students", countOf(instance_.students), 0, limits::StudentCount);
        const Weights& weights = instance_.weights;
        for (const int weight : {weights.time, weights.room, weights.distribution, weights.student})
            checkCount("a weight", weight, 0, limits::Penalty);
        for (const Room& room : instance_.rooms) checkRoom(room);
        checkStructure();
        checkClasses();
        checkParents();
        checkDistributions();
        checkStudents();
        checkGreatestCost();
    }

private:
    template <class Items>
    static std::int64_t countOf(const Items& items) {
        return static_cast<std::int64_t>(items.size());
    }
    template <class Items>
    static void checkIndex(const char* what, int index, const Items& items) {
        checkCount(what, index, 0, countOf(items) - 1);
    }

    void checkSpan(const char* what, const TimeSpan& span, bool mayBeEmpty) const {
        checkCount(what, span.start, 0, instance_.slotsPerDay - 1);
        checkCount(what, span.length, 1, instance_.slotsPerDay);
        const bool isWithin =
            span.days >> instance_.dayCount == 0 && (instance_.weekCount == limits::WeekCount || span.weeks >> instance_.weekCount == 0);
        const bool isEmpty = span.days == 0 || span.weeks == 0;
        if (!isWithin || (isEmpty && !mayBeEmpty)) throw std::invalid_argument(fmt::format("{}: wrong days or weeks", what));
    }

    void checkRoom(const Room& room) const {
        checkCount("seats of a room", room.capacity, 0, limits::PeopleOrSeats);
        checkCount("travels of a room", countOf(room.travels), 0, 2 * limits::RoomCount);
        for (const Travel& travel : room.travels) {
            checkIndex("room of a travel", travel.room, instance_.rooms);
            checkCount("slots of a travel", travel.slotCount, 0, limits::SlotsPerDay);
        }
        for (const TimeSpan& closing : room.closings) checkSpan("closing of a room", closing, true);
    }

    /// Each item has to be in the list of its owner, once.
    template <class Owners, class Lists, class Items, class OwnerOf>
    static void checkOwners(const char* what, const Owners& owners, const Lists& lists, const Items& items, const OwnerOf& ownerOf) {
        std::vector<bool> isSeen(items.size(), false);
        for (std::size_t owner = 0; owner < owners.size(); ++owner) {
            if (lists(owners[owner]).empty()) throw std::invalid_argument(fmt::format("{}: there is an empty list", what));
            for (const int item : lists(owners[owner])) {
                checkIndex(what, item, items);
                const auto index = static_cast<std::size_t>(item);
                if (isSeen[index] || ownerOf(items[index]) != static_cast<int>(owner))
                    throw std::invalid_argument(fmt::format("{}: an item is in two lists", what));
                isSeen[index] = true;
            }
        }
        if (std::find(isSeen.begin(), isSeen.end(), false) != isSeen.end())
            throw std::invalid_argument(fmt::format("{}: an item is in no list", what));
    }

    void checkStructure() const {
        checkOwners(
            "configurations of courses", instance_.courses, [](const Course& course) -> const auto& { return course.configs; },
            instance_.configs, [](const Config& config) { return config.course; });
        checkOwners(
            "subparts of configurations", instance_.configs, [](const Config& config) -> const auto& { return config.subparts; },
            instance_.subparts, [](const Subpart& subpart) { return subpart.config; });
        checkOwners(
            "classes of subparts", instance_.subparts, [](const Subpart& subpart) -> const auto& { return subpart.classes; },
            instance_.classes, [](const Class& one) { return one.subpart; });
        for (const Config& config : instance_.configs)
            checkCount("subparts of a configuration", countOf(config.subparts), 1, limits::SubpartsPerConfig);
    }

    void checkClasses() const {
        std::int64_t options = 0;
        for (const Class& one : instance_.classes) {
            checkCount("limit of a class", one.limit, -1, limits::PeopleOrSeats);
            checkCount("times of a class", countOf(one.times), 1, limits::OptionsPerClass);
            checkCount("rooms of a class", countOf(one.rooms), one.needsRoom ? 1 : 0, one.needsRoom ? limits::RoomCount : 0);
            checkCount("times x rooms of a class", countOf(one.times) * std::max<std::int64_t>(1, countOf(one.rooms)), 1,
                       limits::OptionsPerClass);
            options += countOf(one.times) + countOf(one.rooms);
            for (const TimeOption& time : one.times) {
                checkSpan("time of a class", time.span, false);
                checkCount("penalty of a time", time.penalty, 0, limits::Penalty);
            }
            for (const RoomOption& room : one.rooms) {
                checkIndex("room of a class", room.room, instance_.rooms);
                checkCount("penalty of a room", room.penalty, 0, limits::Penalty);
            }
        }
        checkCount("times and rooms of all classes", options, 0, limits::OptionCount);
    }

    int configOf(int index) const {
        const Class& one = instance_.classes[static_cast<std::size_t>(index)];
        return instance_.subparts[static_cast<std::size_t>(one.subpart)].config;
    }

    void checkParents() const {
        for (std::size_t i = 0; i < instance_.classes.size(); ++i) {
            int steps = 0;
            for (int at = static_cast<int>(i); at >= 0; ++steps) {
                if (steps > limits::SubpartsPerConfig) throw std::invalid_argument("parents of a class: they form a ring");
                const int parent = instance_.classes[static_cast<std::size_t>(at)].parent;
                checkCount("parent of a class", parent, -1, countOf(instance_.classes) - 1);
                const bool isStranger =
                    parent >= 0 && (configOf(parent) != configOf(at) || instance_.classes[static_cast<std::size_t>(parent)].subpart ==
                                                                            instance_.classes[static_cast<std::size_t>(at)].subpart);
                if (isStranger) throw std::invalid_argument("parent of a class: expected a class of another subpart of its configuration");
                at = parent;
            }
        }
    }

    void checkDistributions() const {
        std::int64_t members = 0;
        std::int64_t pairs = 0;
        for (const Distribution& distribution : instance_.distributions) {
            checkCount("type of a distribution", static_cast<std::int64_t>(distribution.type), 0, DistributionTypeCount - 1);
            checkCount("number of a distribution", distribution.first, 0, limits::PeopleOrSeats);
            checkCount("number of a distribution", distribution.second, 0, limits::PeopleOrSeats);
            checkCount("penalty of a distribution", distribution.penalty, 0, limits::Penalty);
            members += countOf(distribution.classes);
            if (comparesPairs(distribution.type)) pairs += countOf(distribution.classes) * countOf(distribution.classes) / 2;
            checkCount("pairs of classes of all distributions", pairs, 0, limits::PairsOfDistributions);
            std::unordered_set<int> seen;
            for (const int index : distribution.classes) {
                checkIndex("class of a distribution", index, instance_.classes);
                if (!seen.insert(index).second) throw std::invalid_argument("classes of a distribution: one is there twice");
            }
        }
        checkCount("classes of all distributions", members, 0, limits::ClassesOfDistributions);
    }

    std::int64_t mostSubparts(int course) const {
        std::int64_t most = 0;
        for (const int config : instance_.courses[static_cast<std::size_t>(course)].configs)
            most = std::max(most, countOf(instance_.configs[static_cast<std::size_t>(config)].subparts));
        return most;
    }

    void checkStudents() const {
        std::int64_t requests = 0;
        for (const Student& student : instance_.students) {
            checkCount("courses of a student", countOf(student.courses), 0, limits::CoursesPerStudent);
            requests += countOf(student.courses);
            std::unordered_set<int> seen;
            std::int64_t classes = 0;
            for (const int course : student.courses) {
                checkIndex("course of a student", course, instance_.courses);
                classes += mostSubparts(course);
                if (!seen.insert(course).second) throw std::invalid_argument("courses of a student: one is there twice");
            }
            checkCount("classes of a student", classes, 0, limits::ClassesOfStudent);
        }
        checkCount("courses of all students", requests, 0, limits::RequestCount);
    }

    /// No sum of the score may exceed 64 bits.
    void checkGreatestCost() const {
        constexpr double most = 4e18;
        const Weights& weights = instance_.weights;
        double cost = static_cast<double>(instance_.classes.size()) * limits::Penalty * (weights.time + weights.room);
        for (const Distribution& distribution : instance_.distributions) {
            const auto count = static_cast<double>(distribution.classes.size());
            const double violation = comparesPairs(distribution.type)
                                         ? count * count / 2
                                         : count * 2 * instance_.slotsPerDay * instance_.dayCount * instance_.weekCount;
            cost += violation * std::max(1, distribution.penalty) * std::max(1, weights.distribution);
        }
        const double pairs = static_cast<double>(limits::ClassesOfStudent) * limits::ClassesOfStudent / 2;
        cost += static_cast<double>(instance_.students.size()) * pairs * weights.student;
        if (cost > most) throw std::invalid_argument("penalties and weights: expected smaller ones, since a cost must fit into 64 bits");
    }

    const Instance& instance_;
};

}    // namespace

void checkInstance(const Instance& instance) { InstanceCheck(instance).run(); }

}    // namespace timetabling::sectioning
