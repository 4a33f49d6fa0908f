#include <ferry/apps/timetabling/curriculum/model/PublishedPlaces.hpp>

#include <algorithm>

namespace timetabling::curriculum {

namespace {

/// An upper bound of the cost of all timetables without hard violations, capped at `Most`.
std::int64_t boundOfCost(const Instance& instance, const Weights& weights) {
    constexpr std::int64_t Most = 10'000'000;
    int leastSeats = limits::PeopleOrSeats;
    for (const Room& room : instance.rooms) leastSeats = std::min(leastSeats, room.seatCount);
    std::int64_t bound = 1;
    std::vector<std::int64_t> lectures;
    for (const Course& course : instance.courses) {
        lectures.push_back(course.lectureCount);
        const std::int64_t missingSeats = std::max(0, course.studentCount - leastSeats);
        bound += course.lectureCount *
                 (weights.roomCapacity * missingSeats + weights.roomSuitability + weights.doubleLectures + weights.roomStability);
        bound += std::int64_t{weights.minWorkingDays} * course.minWorkingDays;
    }
    for (const Curriculum& curriculum : instance.curricula) {
        std::int64_t count = 0;
        for (const int course : curriculum.courses) count += lectures[static_cast<std::size_t>(course)];
        bound += count * (weights.compactness + weights.dailyLoad + weights.travelDistance);
        bound +=
            std::int64_t{instance.dayCount} * (instance.periodsPerDay * weights.windows + instance.minDailyLectures * weights.dailyLoad);
    }
    return std::min(bound, Most);
}

DisplacementCharges chargesOf(const Instance& instance, const Weights& weights) {
    std::int64_t lectureCount = 0;
    for (const Course& course : instance.courses) lectureCount += course.lectureCount;
    return DisplacementCharges::keeping(instance.published.keepWeight, boundOfCost(instance, weights), lectureCount);
}

}    // namespace

PublishedPlaces::PublishedPlaces(const Instance& instance, const Weights& weights)
    : periodCount_(static_cast<std::size_t>(instance.dayCount) * static_cast<std::size_t>(instance.periodsPerDay)),
      roomAt_(instance.courses.size() * periodCount_, NoLecture),
      charges_(chargesOf(instance, weights)) {
    std::vector<int> counts(instance.courses.size(), 0);
    for (const PublishedLecture& lecture : instance.published.lectures) {
        ++counts[static_cast<std::size_t>(lecture.course)];
        if (lecture.period < 0) continue;
        roomAt_[static_cast<std::size_t>(lecture.course) * periodCount_ + static_cast<std::size_t>(lecture.period)] =
            lecture.room < 0 ? RoomIsGone : lecture.room;
    }
    std::vector<std::vector<int>> periods(instance.courses.size());
    for (std::size_t course = 0; course < instance.courses.size(); ++course) {
        additionalLectures_ += std::max(0, instance.courses[course].lectureCount - counts[course]);
        for (int period = 0; period < static_cast<int>(periodCount_); ++period) {
            if (roomAt(static_cast<int>(course), period) != NoLecture) periods[course].push_back(period);
        }
    }
    periods_ = IndexLists(periods);
}

}    // namespace timetabling::curriculum
