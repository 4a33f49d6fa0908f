#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>
#include <ferry/apps/timetabling/curriculum/search/OwnRulesState.hpp>
#include <ferry/apps/timetabling/curriculum/search/PatternState.hpp>

namespace timetabling::curriculum {

/// The effect of a change on a timetable.
struct Delta {
    int conflicts = 0;        ///< pairs of conflicting courses in one period, and lectures in rooms that are forbidden for them
    std::int64_t cost = 0;    ///< soft cost
};

/// A complete timetable that computes the cost of a change quickly.
///
/// Every lecture has its own slot in an open period of its course, and no course is twice in a period.
/// Changes that would break this are not 'allowed' and must not be made.
/// So the only hard violations are conflicts between courses and lectures in unsuitable rooms (where suitability is hard).
/// Both count as conflicts.
/// Ownership: refers to the problem.
class SearchState {
public:
    /// Throws std::invalid_argument for slots that checkSlots() refuses.
    SearchState(const Problem& problem, std::span<const std::int32_t> slots);

    const Problem& problem() const { return problem_; }
    const Slots& slots() const { return slots_; }
    int slotOf(int lecture) const { return slots_[static_cast<std::size_t>(lecture)]; }
    static constexpr int Free = -1;
    static constexpr int RoomIsClosed = -2;
    /// The lecture in the slot; or Free; or RoomIsClosed, where no lecture may go.
    int lectureIn(int slot) const { return lectureIn_[static_cast<std::size_t>(slot)]; }
    std::int64_t conflicts() const { return conflicts_; }
    std::int64_t cost() const { return cost_; }
    bool isFeasible() const { return conflicts_ == 0; }
    /// Counts the lectures that are not in their published places.
    const Displacement& displacement() const { return displacement_; }
    /// The displaced lectures. When a course has additional lectures, the last ones of the course are among them.
    std::span<const int> displacedLectures() const { return displaced_; }

    /// Whether the lecture may go to this free slot.
    bool isMoveAllowed(int lecture, int slot) const {
        const int period = problem_.periodOfSlot(slot);
        return period == periodOf_[static_cast<std::size_t>(lecture)] || (marks(period, courseOf(lecture)) & Closed) == 0;
    }
    /// Whether the two lectures may exchange their slots.
    bool isSwapAllowed(int lectureA, int lectureB) const;

    /// Whether the pins allow the lecture in the period. The caller of a change has to check this too.
    /// The functions for 'allowed' do not check pins, so that problems without pins pay nothing.
    bool doPinsLet(int lecture, int period) const {
        const Pin* pin = problem_.pinOf(lecture);
        return !pin || (pin->room < 0 && pin->period == period);
    }
    bool doPinsLetSwap(int lectureA, int lectureB) const {
        return doPinsLet(lectureA, periodOf_[static_cast<std::size_t>(lectureB)]) &&
               doPinsLet(lectureB, periodOf_[static_cast<std::size_t>(lectureA)]);
    }

    /// Number of conflicts that the change adds. The change must be allowed.
    int moveConflicts(int lecture, int slot) const;
    int swapConflicts(int lectureA, int lectureB) const;
    /// Soft cost that the change adds. The change must be allowed.
    std::int64_t moveCost(int lecture, int slot);
    std::int64_t swapCost(int lectureA, int lectureB);
    /// Displacement that the change adds; zero without a published timetable.
    Displacement moveDisplacement(int lecture, int slot) const;
    Displacement swapDisplacement(int lectureA, int lectureB) const;
    /// Upper bound of the soft cost that any move or swap of the lecture can save.
    int mostGain(int lecture) const;

    /// Makes the change. 'delta' holds the results of the functions above for this change.
    void move(int lecture, int slot, const Delta& delta);
    void swap(int lectureA, int lectureB, const Delta& delta);

    /// The number of conflicts in which the lecture is involved.
    int conflictsOf(int lecture) const;

private:
    /// For a course and a period: the number of conflicting lectures there, and flags that forbid the period to the course.
    using Marks = std::uint16_t;
    static constexpr Marks Unavailable = 0x8000;
    static constexpr Marks Taught = 0x4000;    ///< flag: a lecture of the course is already there
    static constexpr Marks Closed = Unavailable | Taught;
    static constexpr Marks CountMask = 0x3FFF;

    int courseOf(int lecture) const { return courseOf_[static_cast<std::size_t>(lecture)]; }
    Marks& marks(int period, int course) {
        return marks_[static_cast<std::size_t>(period) * courseCount_ + static_cast<std::size_t>(course)];
    }
    Marks marks(int period, int course) const {
        return marks_[static_cast<std::size_t>(period) * courseCount_ + static_cast<std::size_t>(course)];
    }
    int roomCost(int course, int room) const {
        return roomCosts_[static_cast<std::size_t>(course) * roomCount_ + static_cast<std::size_t>(room)];
    }
    int workingDaysCost(int course, int fromPeriod, int toPeriod) const;
    int stabilityCost(int course, int fromRoom, int toRoom) const;
    int isolationChange(int curriculum, int fromPeriod, int toPeriod) const;
    int compactnessCost(int course, int fromPeriod, int toPeriod) const;
    int compactnessCostWithout(int course, int otherCourse, int fromPeriod, int toPeriod) const;

    void put(int lecture, int slot);
    void leave(int lecture);
    Displacement displacementOf(int lecture) const;
    void noteDisplacement(int lecture);
    void countTotals();

    int roomViolations(int course, int fromRoom, int toRoom) const {
        if (!weights_.isRoomSuitabilityHard) return 0;
        return (problem_.isSuitable(course, fromRoom) ? 1 : 0) - (problem_.isSuitable(course, toRoom) ? 1 : 0);
    }

    const Problem& problem_;
    Weights weights_;
    std::optional<PatternState> patterns_;     ///< for formulations that count more than isolated lectures
    std::optional<OwnRulesState> ownRules_;    ///< for weights of the user that count what no formulation has
    std::size_t courseCount_;
    std::size_t roomCount_;
    std::size_t periodCount_;
    std::size_t dayCount_;

    Slots slots_;
    std::vector<std::int32_t> courseOf_;               ///< indexed by lecture
    std::vector<std::int32_t> periodOf_;               ///< indexed by lecture
    std::vector<std::int32_t> roomOf_;                 ///< indexed by lecture
    std::vector<std::int32_t> lectureIn_;              ///< indexed by slot
    std::vector<std::int16_t> dayOf_;                  ///< indexed by period
    std::vector<std::uint8_t> bitOf_;                  ///< indexed by period: the bit below the two bits of the previous period and of the
                                                       ///< period itself
    std::vector<std::int32_t> roomCosts_;              ///< indexed by course and room: cost of missing seats, and of an unsuitable room
                                                       ///< where suitability is soft
    std::vector<Marks> marks_;                         ///< indexed by period and course
    std::vector<std::uint8_t> lecturesOnDay_;          ///< indexed by course and day
    std::vector<std::int32_t> daysUsed_;               ///< indexed by course
    std::vector<std::int32_t> minDays_;                ///< indexed by course
    std::vector<std::uint16_t> lecturesInRoom_;        ///< indexed by course and room
    std::vector<std::uint16_t> curriculumLectures_;    ///< indexed by curriculum and period
    std::vector<std::uint64_t> curriculumDays_;        ///< indexed by curriculum and day: one bit per period with lectures, from bit 2 on
    std::int64_t conflicts_ = 0;
    std::int64_t cost_ = 0;

    const PublishedPlaces* published_;    ///< null: no timetable was published
    Displacement displacement_;
    std::vector<int> displaced_;
    std::vector<std::int32_t> placeInDisplaced_;    ///< indexed by lecture, -1 for a lecture in its place; empty without a published
                                                    ///< timetable
};

}    // namespace timetabling::curriculum
