#include <ferry/apps/timetabling/curriculum/model/OwnRules.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include <ferry/apps/timetabling/curriculum/model/DayPattern.hpp>

namespace timetabling::curriculum {

namespace {

constexpr int daysOfWeek = 7;

}    // namespace

OwnRules::OwnRules(const Problem& problem) : problem_(problem) {
    const Instance& instance = problem.instance();
    std::unordered_map<std::string, const TeacherLimits*> known;
    for (const TeacherLimits& limits : instance.teacherLimits) known.emplace(limits.teacher, &limits);
    for (const Teacher& teacher : problem.teachers()) {
        const auto found = known.find(teacher.id);
        limitsOf_.push_back(found == known.end() ? TeacherLimits{teacher.id} : *found->second);
    }
    for (const int period : instance.lunchPeriods) lunch_ |= std::uint64_t{1} << period;
    std::vector<std::vector<int>> orders(static_cast<std::size_t>(problem.courseCount()));
    for (std::size_t i = 0; i < instance.orders.size(); ++i) {
        orders[static_cast<std::size_t>(instance.orders[i].before)].push_back(static_cast<int>(i));
        orders[static_cast<std::size_t>(instance.orders[i].after)].push_back(static_cast<int>(i));
    }
    ordersOf_ = IndexLists(orders);
    sharedBy_.resize(static_cast<std::size_t>(problem.courseCount()));
    std::map<std::pair<int, int>, int> shared;
    for (const Student& student : instance.students) {
        for (const int one : student.courses) {
            for (const int other : student.courses) {
                if (one != other) ++shared[{one, other}];
            }
        }
    }
    for (const auto& [courses, count] : shared) sharedBy_[static_cast<std::size_t>(courses.first)].push_back({courses.second, count});
    std::set<int> weeks;
    for (int day = 0; day < problem.dayCount(); ++day) weeks.insert(instance.names.offsetOf(day) / daysOfWeek);
    weekCount_ = static_cast<int>(weeks.size());
    std::vector<std::vector<int>> sameTime(static_cast<std::size_t>(problem.periodCount()));
    for (int period = 0; period < problem.periodCount(); ++period) {
        const int offset = instance.names.offsetOf(problem.dayOf(period));
        for (int day = 0; day < problem.dayCount(); ++day) {
            const int other = instance.names.offsetOf(day);
            if (other != offset && other % daysOfWeek == offset % daysOfWeek)
                sameTime[static_cast<std::size_t>(period)].push_back(day * problem.periodsPerDay() + problem.periodOfDay(period));
        }
    }
    sameTime_ = IndexLists(sameTime);
}

int OwnRules::gaps(std::uint64_t day) { return windowPeriods(day); }

int OwnRules::lecturesInARowTooMany(int teacher, std::uint64_t day) const {
    const int most = limitsOf(teacher).mostInARow;
    int tooMany = 0;
    int length = 0;
    for (int period = 0; period <= problem_.periodsPerDay(); ++period) {
        if (period < problem_.periodsPerDay() && (day >> period & 1U) != 0) {
            ++length;
        } else {
            tooMany += std::max(0, length - most);
            length = 0;
        }
    }
    return tooMany;
}

int OwnRules::lecturesTooMany(int teacher, int lectures) const { return std::max(0, lectures - limitsOf(teacher).mostDaily); }

int OwnRules::pairsInWrongOrder(std::span<const std::uint8_t> before, std::span<const std::uint8_t> after) {
    int pairs = 0;
    int seen = 0;
    for (std::size_t period = 0; period < before.size(); ++period) {
        seen += after[period];
        if (before[period] != 0) pairs += seen;
    }
    return pairs;
}

int OwnRules::lecturesAtOtherTimes(std::span<const std::uint8_t> course) const {
    int count = 0;
    for (std::size_t period = 0; period < course.size(); ++period) {
        if (course[period] == 0) continue;
        const std::span<const int> others = sameTime_[static_cast<int>(period)];
        count += std::all_of(others.begin(), others.end(), [&](int other) { return course[static_cast<std::size_t>(other)] != 0; }) ? 0 : 1;
    }
    return count;
}

}    // namespace timetabling::curriculum
