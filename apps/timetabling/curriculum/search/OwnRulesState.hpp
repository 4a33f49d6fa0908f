#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/OwnRules.hpp>
#include <ferry/apps/timetabling/curriculum/search/PatternState.hpp>

namespace timetabling::curriculum {

/// Keeps the days of teachers and the places of courses up to date, for the rules of OwnRules.
/// Ownership: refers to the problem.
class OwnRulesState {
public:
    explicit OwnRulesState(const Problem& problem);

    void put(int course, int period);
    void take(int course, int period);
    /// The cost that all changes together add.
    int costOf(std::span<const LectureChange> changes);
    /// Upper bound of the cost that a change of a lecture of the course can save.
    int mostGain(int course) const { return mostGain_[static_cast<std::size_t>(course)]; }

private:
    struct Day {
        std::uint64_t periods = 0;    ///< bit set: one bit per period with lectures
        std::int32_t lectures = 0;
    };

    std::span<const std::uint8_t> rowOf(int course) const {
        return std::span(isPlaced_).subspan(static_cast<std::size_t>(course) * periodCount_, periodCount_);
    }
    void note(const LectureChange& change);
    int costOfNoted() const;
    int clashesOf(int course, int period) const;
    int boundOf(int course) const;

    const Problem& problem_;
    OwnRules rules_;
    Weights weights_;
    std::size_t dayCount_;
    std::size_t periodCount_;
    std::vector<Day> days_;                  ///< indexed by teacher and day
    std::vector<std::uint16_t> lectures_;    ///< indexed by teacher and period
    std::vector<std::int32_t> daysUsed_;     ///< indexed by teacher
    std::vector<std::uint8_t> isPlaced_;     ///< indexed by course and period
    std::vector<int> mostGain_;              ///< indexed by course
    std::vector<std::size_t> notedDays_;     ///< temporary lists of what the changes concern: teachers with days
    std::vector<int> notedTeachers_;
    std::vector<int> notedOrders_;
    std::vector<int> notedCourses_;
};

}    // namespace timetabling::curriculum
