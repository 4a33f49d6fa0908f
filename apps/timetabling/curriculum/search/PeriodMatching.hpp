#pragma once

#include <span>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

namespace timetabling::curriculum {

/// Gives every lecture of some courses an open period, no course twice in one period and no period more lectures than it has places;
/// or proves that this cannot be done.
///
/// Places are sought along augmenting paths, so a failure is a proof: it leaves a set of courses that have more lectures than there
/// are places in the periods that are open to them.
class PeriodMatching {
public:
    /// Takes courses in the given order and their periods in the order in which 'periodOrder' has them.
    PeriodMatching(const Problem& problem, std::span<const int> courses, int placesPerPeriod, std::span<const int> periodOrder);
    /// The same with the places of each period.
    PeriodMatching(const Problem& problem, std::span<const int> courses, std::vector<int> placesIn, std::span<const int> periodOrder);

    bool isComplete() const { return crowdedCourses_.empty(); }
    /// The courses in a period.
    const std::vector<int>& coursesIn(int period) const { return coursesIn_[static_cast<std::size_t>(period)]; }
    /// The courses that do not fit, when the matching is not complete.
    const std::vector<int>& crowdedCourses() const { return crowdedCourses_; }
    /// Lectures of the courses that do not fit, and the places that are open to them.
    int crowdedLectures() const;
    int crowdedPlaces() const;

private:
    bool placeLecture(int course);
    bool isIn(int course, int period) const;

    const Problem& problem_;
    std::vector<int> placesIn_;                    ///< by period
    std::vector<std::vector<int>> openPeriods_;    ///< by course
    std::vector<std::vector<int>> coursesIn_;      ///< by period
    std::vector<int> crowdedCourses_;
};

}    // namespace timetabling::curriculum
