#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

namespace timetabling::curriculum {

/// A lecture that changes its slot.
struct LectureChange {
    int course = 0;
    int fromPeriod = 0;
    int fromRoom = 0;
    int toPeriod = 0;
    int toRoom = 0;
};

/// Keeps the days of the curricula and courses up to date, for formulations that count more than isolated lectures:
/// windows, daily loads, changes of building and double lectures. Isolated lectures are counted here too.
/// Ownership: refers to the problem.
class PatternState {
public:
    explicit PatternState(const Problem& problem);

    void put(int course, int period, int room);
    void take(int course, int period, int room);
    /// The cost that all changes together add.
    int costOf(std::span<const LectureChange> changes);

private:
    struct Day {
        std::uint64_t periods = 0;    ///< bit set: one bit per period with lectures
        std::int32_t lectures = 0;
    };

    std::size_t dayIndex(int curriculum, int day) const {
        return static_cast<std::size_t>(curriculum) * dayCount_ + static_cast<std::size_t>(day);
    }
    void noteDay(int course, int day);
    int costOfNoted() const;
    int costOfCurriculumDay(std::size_t index) const;
    int changesOfBuilding(std::size_t index) const;

    const Problem& problem_;
    Weights weights_;
    std::size_t dayCount_;
    std::size_t periodsPerDay_;
    std::size_t buildingCount_ = 1;
    std::vector<Day> days_;                       ///< indexed by curriculum and day
    std::vector<std::uint16_t> lectures_;         ///< indexed by curriculum and period
    std::vector<std::uint16_t> inBuilding_;       ///< indexed by curriculum, period and building; empty when changes of building cost
                                                  ///< nothing
    std::vector<std::int32_t> roomAt_;            ///< indexed by course and period, -1 for none
    std::vector<std::size_t> notedDays_;          ///< temporary list of the curriculum days that the changes concern
    std::vector<std::size_t> notedCourseDays_;    ///< temporary list of the pairs (course, day) that the changes concern
};

}    // namespace timetabling::curriculum
