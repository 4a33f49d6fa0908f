#pragma once

#include <span>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

namespace timetabling::curriculum {

/// Gives an open period to every lecture of some courses, or proves that this is impossible.
/// No course is twice in one period, and no period has more lectures than places.
///
/// The search follows augmenting paths, so a failure is a proof.
/// A failure leaves a set of courses that have more lectures than the periods open to them have places.
class PeriodMatching {
public:
    /// Processes the courses in the given order, and their periods in the order of 'periodOrder'.
    PeriodMatching(const Problem& problem, std::span<const int> courses, int placesPerPeriod, std::span<const int> periodOrder);
    /// Works like the first constructor, with an individual number of places for each period.
    PeriodMatching(const Problem& problem, std::span<const int> courses, std::vector<int> placesIn, std::span<const int> periodOrder);

    /// Returns the number of rooms that can be used in each period.
    static std::vector<int> placesOf(const Problem& problem);

    bool isComplete() const { return crowdedCourses_.empty(); }
    /// The courses in a period.
    const std::vector<int>& coursesIn(int period) const { return coursesIn_[static_cast<std::size_t>(period)]; }
    /// The courses that do not fit, when the matching is incomplete.
    const std::vector<int>& crowdedCourses() const { return crowdedCourses_; }
    /// Number of lectures of the courses that do not fit, and number of places in the periods open to them.
    int crowdedLectures() const;
    int crowdedPlaces() const;

private:
    bool placeLecture(int course);
    bool isIn(int course, int period) const;

    const Problem& problem_;
    std::vector<int> placesIn_;                    ///< indexed by period
    std::vector<std::vector<int>> openPeriods_;    ///< indexed by course
    std::vector<std::vector<int>> coursesIn_;      ///< indexed by period
    std::vector<int> crowdedCourses_;
};

}    // namespace timetabling::curriculum
