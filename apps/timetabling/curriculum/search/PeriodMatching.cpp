#include <ferry/apps/timetabling/curriculum/search/PeriodMatching.hpp>

#include <algorithm>
#include <utility>

namespace timetabling::curriculum {

PeriodMatching::PeriodMatching(const Problem& problem, std::span<const int> courses, int placesPerPeriod, std::span<const int> periodOrder)
    : PeriodMatching(problem, courses, std::vector<int>(static_cast<std::size_t>(problem.periodCount()), placesPerPeriod), periodOrder) {}

PeriodMatching::PeriodMatching(const Problem& problem, std::span<const int> courses, std::vector<int> placesIn,
                               std::span<const int> periodOrder)
    : problem_(problem),
      placesIn_(std::move(placesIn)),
      openPeriods_(static_cast<std::size_t>(problem.courseCount())),
      coursesIn_(static_cast<std::size_t>(problem.periodCount())) {
    for (const int course : courses) {
        for (const int period : periodOrder) {
            if (problem.isAvailable(course, period)) openPeriods_[static_cast<std::size_t>(course)].push_back(period);
        }
    }
    for (const int course : courses) {
        for (int i = 0; i < problem.course(course).lectureCount; ++i) {
            if (!placeLecture(course)) return;
        }
    }
}

std::vector<int> PeriodMatching::placesOf(const Problem& problem) {
    std::vector<int> places;
    for (int period = 0; period < problem.periodCount(); ++period) places.push_back(problem.openRooms(period));
    return places;
}

bool PeriodMatching::isIn(int course, int period) const {
    const std::vector<int>& courses = coursesIn(period);
    return std::find(courses.begin(), courses.end(), course) != courses.end();
}

/// Finds a place for one more lecture of the course. Moves lectures of other courses when that helps.
bool PeriodMatching::placeLecture(int course) {
    struct Step {
        int course;          ///< the course that looks for a period
        int leftPeriod;      ///< the period that the course has to leave, or -1
        std::size_t from;    ///< index of the step that makes the course leave
    };
    std::vector<Step> steps{{course, -1, 0}};
    std::vector<bool> isCourseSeen(static_cast<std::size_t>(problem_.courseCount()), false);
    std::vector<bool> isPeriodSeen(static_cast<std::size_t>(problem_.periodCount()), false);
    isCourseSeen[static_cast<std::size_t>(course)] = true;
    for (std::size_t at = 0; at < steps.size(); ++at) {
        const int seeker = steps[at].course;
        for (const int period : openPeriods_[static_cast<std::size_t>(seeker)]) {
            if (isPeriodSeen[static_cast<std::size_t>(period)] || isIn(seeker, period)) continue;
            isPeriodSeen[static_cast<std::size_t>(period)] = true;
            std::vector<int>& courses = coursesIn_[static_cast<std::size_t>(period)];
            if (static_cast<int>(courses.size()) >= placesIn_[static_cast<std::size_t>(period)]) {
                for (const int other : courses) {
                    if (isCourseSeen[static_cast<std::size_t>(other)]) continue;
                    isCourseSeen[static_cast<std::size_t>(other)] = true;
                    steps.push_back({other, period, at});
                }
                continue;
            }
            courses.push_back(seeker);
            for (std::size_t step = at; steps[step].leftPeriod >= 0; step = steps[step].from) {
                std::vector<int>& left = coursesIn_[static_cast<std::size_t>(steps[step].leftPeriod)];
                *std::find(left.begin(), left.end(), steps[step].course) = steps[steps[step].from].course;
            }
            return true;
        }
    }
    for (const Step& step : steps) crowdedCourses_.push_back(step.course);
    std::sort(crowdedCourses_.begin(), crowdedCourses_.end());
    return false;
}

int PeriodMatching::crowdedLectures() const {
    int count = 0;
    for (const int course : crowdedCourses_) count += problem_.course(course).lectureCount;
    return count;
}

int PeriodMatching::crowdedPlaces() const {
    int count = 0;
    for (int period = 0; period < problem_.periodCount(); ++period) {
        int open = 0;
        for (const int course : crowdedCourses_) open += problem_.isAvailable(course, period) ? 1 : 0;
        count += std::min(open, placesIn_[static_cast<std::size_t>(period)]);
    }
    return count;
}

}    // namespace timetabling::curriculum
