#include <ferry/apps/timetabling/sectioning/model/rules.hpp>

#include <cstdint>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/sectioning/model/Solution.hpp>
#include <ferry/tests/timetabling/support/SectioningInstances.hpp>

using namespace timetabling;
using namespace timetabling::sectioning;

namespace {

// Bit 0 is the first day or the first week.
constexpr std::uint32_t Monday = 1;
constexpr std::uint32_t Tuesday = 2;
constexpr std::uint32_t Wednesday = 4;
constexpr std::uint64_t AllWeeks = 0b1111;
constexpr std::uint64_t OddWeeks = 0b0101;
constexpr std::uint64_t EvenWeeks = 0b1010;

FixedClass meeting(std::uint32_t days, int start, int length, std::uint64_t weeks = AllWeeks, int room = -1) {
    return {{days, weeks, start, length}, room};
}

/// By how much the classes, in this order, violate the constraint. Nothing depends on whether it is required.
std::int64_t violation(DistributionType type, const std::vector<FixedClass>& classes, int first = 0, int second = 0) {
    Instance instance = fixedClasses(classes);
    Distribution distribution{type, first, second};
    distribution.classes.resize(classes.size());
    std::iota(distribution.classes.begin(), distribution.classes.end(), 0);
    instance.distributions = {distribution};
    const Problem problem(instance);
    std::vector<Place> places;
    for (const FixedClass& one : classes) places.push_back({one.span, one.room, true});
    return violationOf(problem, problem.distribution(0), places);
}

/// Two meetings in the same week and on the same day.
std::int64_t onMonday(DistributionType type, int start, int length, int otherStart, int otherLength, int first = 0) {
    return violation(type, {meeting(Monday, start, length), meeting(Monday, otherStart, otherLength)}, first);
}

}    // namespace

TEST_CASE("Rules of ITC-2019: SameStart compares the starts alone") {
    CHECK(onMonday(DistributionType::SameStart, 10, 5, 10, 8) == 0);
    CHECK(onMonday(DistributionType::SameStart, 10, 5, 11, 5) == 1);
    CHECK(violation(DistributionType::SameStart, {meeting(Monday, 10, 5, OddWeeks), meeting(Tuesday, 10, 5, EvenWeeks)}) == 0);
    // Of three classes, one starts at another time: two pairs.
    CHECK(violation(DistributionType::SameStart, {meeting(Monday, 10, 5), meeting(Monday, 10, 5), meeting(Monday, 12, 5)}) == 2);
}

TEST_CASE("Rules of ITC-2019: SameTime wants the shorter class within the longer one") {
    CHECK(onMonday(DistributionType::SameTime, 10, 10, 12, 8) == 0);
    CHECK(onMonday(DistributionType::SameTime, 12, 8, 10, 10) == 0);
    CHECK(onMonday(DistributionType::SameTime, 10, 10, 12, 9) == 1);
    CHECK(violation(DistributionType::SameTime, {meeting(Monday, 10, 10), meeting(Tuesday, 30, 10)}) == 1);
}

TEST_CASE("Rules of ITC-2019: DifferentTime keeps the times of day apart, on all days") {
    CHECK(onMonday(DistributionType::DifferentTime, 10, 10, 20, 5) == 0);
    CHECK(onMonday(DistributionType::DifferentTime, 10, 10, 19, 5) == 1);
    CHECK(violation(DistributionType::DifferentTime, {meeting(Monday, 10, 10), meeting(Tuesday, 15, 10, OddWeeks)}) == 1);
}

TEST_CASE("Rules of ITC-2019: SameDays wants the days of one class among those of the other") {
    CHECK(violation(DistributionType::SameDays, {meeting(Monday | Wednesday, 10, 5), meeting(Wednesday, 50, 5)}) == 0);
    CHECK(violation(DistributionType::SameDays, {meeting(Monday | Wednesday, 10, 5), meeting(Monday | Tuesday, 50, 5)}) == 1);
}

TEST_CASE("Rules of ITC-2019: DifferentDays allows no common day, even in different weeks") {
    CHECK(violation(DistributionType::DifferentDays, {meeting(Monday, 10, 5), meeting(Tuesday | Wednesday, 10, 5)}) == 0);
    CHECK(violation(DistributionType::DifferentDays, {meeting(Monday, 10, 5, OddWeeks), meeting(Monday, 50, 5, EvenWeeks)}) == 1);
}

TEST_CASE("Rules of ITC-2019: SameWeeks and DifferentWeeks compare the weeks alone") {
    const std::vector<FixedClass> within{meeting(Monday, 10, 5), meeting(Tuesday, 10, 5, OddWeeks)};
    const std::vector<FixedClass> apart{meeting(Monday, 10, 5, EvenWeeks), meeting(Monday, 10, 5, OddWeeks)};
    CHECK(violation(DistributionType::SameWeeks, within) == 0);
    CHECK(violation(DistributionType::SameWeeks, apart) == 1);
    CHECK(violation(DistributionType::DifferentWeeks, within) == 1);
    CHECK(violation(DistributionType::DifferentWeeks, apart) == 0);
}

TEST_CASE("Rules of ITC-2019: Overlap and NotOverlap look at slots, days and weeks") {
    const std::vector<std::vector<FixedClass>> apart{
        {meeting(Monday, 10, 10), meeting(Monday, 20, 10)},
        {meeting(Monday, 10, 10), meeting(Tuesday, 10, 10)},
        {meeting(Monday, 10, 10, OddWeeks), meeting(Monday, 10, 10, EvenWeeks)},
    };
    for (const std::vector<FixedClass>& classes : apart) {
        CHECK(violation(DistributionType::Overlap, classes) == 1);
        CHECK(violation(DistributionType::NotOverlap, classes) == 0);
    }
    const std::vector<FixedClass> together{meeting(Monday | Tuesday, 10, 10), meeting(Tuesday, 19, 10, OddWeeks)};
    CHECK(violation(DistributionType::Overlap, together) == 0);
    CHECK(violation(DistributionType::NotOverlap, together) == 1);
}

TEST_CASE("Rules of ITC-2019: SameRoom and DifferentRoom compare rooms, and say nothing about classes without one") {
    const std::vector<FixedClass> equal{meeting(Monday, 10, 5, AllWeeks, 1), meeting(Tuesday, 10, 5, AllWeeks, 1)};
    const std::vector<FixedClass> different{meeting(Monday, 10, 5, AllWeeks, 0), meeting(Tuesday, 10, 5, AllWeeks, 1)};
    const std::vector<FixedClass> without{meeting(Monday, 10, 5, AllWeeks, 0), meeting(Tuesday, 10, 5), meeting(Tuesday, 10, 5)};
    CHECK(violation(DistributionType::SameRoom, equal) == 0);
    CHECK(violation(DistributionType::SameRoom, different) == 1);
    CHECK(violation(DistributionType::SameRoom, without) == 0);
    CHECK(violation(DistributionType::DifferentRoom, equal) == 1);
    CHECK(violation(DistributionType::DifferentRoom, different) == 0);
    CHECK(violation(DistributionType::DifferentRoom, without) == 0);
}

TEST_CASE("Rules of ITC-2019: SameAttendees wants time for the way, which is 3 slots between the rooms") {
    const auto between = [](int gap, int room, int otherRoom, std::uint64_t weeks = AllWeeks) {
        return violation(DistributionType::SameAttendees,
                         {meeting(Monday, 10, 10, OddWeeks, room), meeting(Monday, 20 + gap, 10, weeks, otherRoom)});
    };
    CHECK(between(0, 0, 0) == 0);
    CHECK(between(-1, 0, 0) == 1);
    CHECK(between(2, 0, 1) == 1);
    CHECK(between(3, 0, 1) == 0);
    CHECK(between(2, 1, 0) == 1);
    CHECK(between(0, 0, -1) == 0);
    CHECK(between(0, 0, 1, EvenWeeks) == 0);
}

TEST_CASE("Rules of ITC-2019: Precedence compares the first meetings, in the order of the list") {
    const auto isKept = [](const FixedClass& one, const FixedClass& other) {
        return violation(DistributionType::Precedence, {one, other}) == 0;
    };
    CHECK(isKept(meeting(Monday, 10, 10), meeting(Monday, 20, 10)));
    CHECK_FALSE(isKept(meeting(Monday, 20, 10), meeting(Monday, 10, 10)));
    CHECK_FALSE(isKept(meeting(Monday, 10, 10), meeting(Monday, 19, 10)));
    CHECK(isKept(meeting(Monday, 50, 10), meeting(Tuesday, 10, 10)));
    CHECK_FALSE(isKept(meeting(Tuesday | Wednesday, 10, 10), meeting(Monday | Wednesday, 50, 10)));
    CHECK(isKept(meeting(Wednesday, 50, 10, OddWeeks), meeting(Monday, 10, 10, EvenWeeks)));    // week 0 before week 1
}

TEST_CASE("Rules of ITC-2019: WorkDay limits the time from the first start to the last end of a day") {
    CHECK(onMonday(DistributionType::WorkDay, 10, 10, 40, 10, 40) == 0);
    CHECK(onMonday(DistributionType::WorkDay, 10, 10, 40, 10, 39) == 1);
    CHECK(violation(DistributionType::WorkDay, {meeting(Monday, 10, 10), meeting(Tuesday, 40, 10)}, 39) == 0);
    CHECK(violation(DistributionType::WorkDay, {meeting(Monday, 10, 10, OddWeeks), meeting(Monday, 40, 10, EvenWeeks)}, 39) == 0);
}

TEST_CASE("Rules of ITC-2019: MinGap wants slots between classes of a day") {
    CHECK(onMonday(DistributionType::MinGap, 10, 10, 25, 10, 5) == 0);
    CHECK(onMonday(DistributionType::MinGap, 10, 10, 25, 10, 6) == 1);
    CHECK(violation(DistributionType::MinGap, {meeting(Monday, 10, 10), meeting(Tuesday, 10, 10)}, 6) == 0);
}

TEST_CASE("Rules of ITC-2019: MaxDays counts the days of all weeks together") {
    const std::vector<FixedClass> classes{meeting(Monday | Tuesday, 10, 5), meeting(Tuesday, 50, 5), meeting(Wednesday, 10, 5, OddWeeks)};
    CHECK(violation(DistributionType::MaxDays, classes, 3) == 0);
    CHECK(violation(DistributionType::MaxDays, classes, 1) == 2);
}

TEST_CASE("Rules of ITC-2019: MaxDayLoad sums the slots over the limit, of each day of each week") {
    const std::vector<FixedClass> classes{meeting(Monday, 10, 10), meeting(Monday, 30, 10, OddWeeks), meeting(Tuesday, 10, 30)};
    CHECK(violation(DistributionType::MaxDayLoad, classes, 30) == 0);
    CHECK(violation(DistributionType::MaxDayLoad, classes, 18) == 2 * 2 + 4 * 12);    // Monday of 2 weeks, Tuesday of 4 weeks
}

TEST_CASE("Rules of ITC-2019: MaxBreaks counts gaps of more than S slots beyond R, of each day of each week") {
    const std::vector<FixedClass> classes{meeting(Monday, 10, 10), meeting(Monday, 24, 6), meeting(Monday, 40, 10, OddWeeks)};
    CHECK(violation(DistributionType::MaxBreaks, classes, 0, 3) == 2 * 2 + 2 * 1);    // odd weeks have 3 blocks, even ones 2
    CHECK(violation(DistributionType::MaxBreaks, classes, 1, 3) == 2);
    CHECK(violation(DistributionType::MaxBreaks, classes, 0, 4) == 2);    // a gap of 4 slots is none
    CHECK(violation(DistributionType::MaxBreaks, classes, 2, 3) == 0);
}

TEST_CASE("Rules of ITC-2019: MaxBlock counts blocks of several classes that are too long") {
    const std::vector<FixedClass> classes{meeting(Monday, 10, 10), meeting(Monday, 22, 10, OddWeeks), meeting(Tuesday, 10, 40)};
    CHECK(violation(DistributionType::MaxBlock, classes, 22, 2) == 0);
    CHECK(violation(DistributionType::MaxBlock, classes, 21, 2) == 2);    // Mondays of the odd weeks; Tuesday has one class alone
    CHECK(violation(DistributionType::MaxBlock, classes, 21, 1) == 0);
    // Blocks that overlap are one block.
    CHECK(violation(DistributionType::MaxBlock, {meeting(Monday, 10, 30), meeting(Monday, 15, 5)}, 29, 0) == 4);
}

TEST_CASE("Rules of ITC-2019: sums over days are divided by the weeks at the very end, and pairs and days are not") {
    const Problem problem(fixedClasses({meeting(Monday, 10, 10)}));    // 4 weeks
    const auto cost = [&problem](DistributionType type, int penalty, std::int64_t amount) {
        Distribution distribution{type};
        distribution.penalty = penalty;
        return costOf(problem, distribution, amount);
    };
    CHECK(cost(DistributionType::NotOverlap, 3, 5) == 15);
    CHECK(cost(DistributionType::MaxDays, 3, 5) == 15);
    CHECK(cost(DistributionType::MaxDayLoad, 3, 5) == 3);
    CHECK(cost(DistributionType::MaxBreaks, 3, 1) == 0);
    CHECK(cost(DistributionType::MaxBlock, 3, 7) == 5);
}
