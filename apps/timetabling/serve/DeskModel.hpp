#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/apps/timetabling/model/Slots.hpp>
#include <ferry/apps/timetabling/problem/AnyProblem.hpp>
#include <ferry/apps/timetabling/report/TimetableView.hpp>

/// The parts of a desk that depend on the kind of problem. An item is a course or an event.

namespace timetabling {

/// A lecture of a course, or an event, in a place; or the pin of one. Periods count through the week.
struct DeskPlace {
    int item = 0;
    int period = 0;
    int room = 0;    ///< of a pin: -1 for any room

    bool operator==(const DeskPlace&) const = default;
};

/// A room that is closed in a period. -1 stands for all rooms, or for the whole week.
struct DeskClosing {
    int room = -1;
    int period = -1;

    bool operator==(const DeskClosing&) const = default;
};

/// A timetable with the wishes of the page.
struct DeskState {
    std::vector<DeskPlace> placements;    ///< ascending by item, period and room
    std::vector<DeskPlace> pins;
    std::vector<DeskClosing> closings;    ///< beyond those of the instance
};

/// A place, and what a timetable becomes when a lecture or event goes there.
struct DeskOffer {
    enum class Kind {
        Here,                ///< it is in the place already
        Free,                ///< it may go to the place
        Exchange,            ///< it may change places with the one that is there
        RoomIsClosed,        ///< the room is closed in the period
        PeriodIsClosed,      ///< the period is closed to the item
        ItemIsThere,         ///< another lecture of the course is in the period
        RoomDoesNotSuit,     ///< the room is too small or lacks a feature
        OtherCannotLeave,    ///< the one that is there may not go to the place of this one
        IsTaken              ///< the place is in use, and this one has no place to exchange it for
    };
    Kind kind = Kind::Here;
    int period = 0;
    int room = 0;
    int other = -1;                 ///< the item in the place, if it is another one
    std::int64_t violations = 0;    ///< what the change adds
    std::int64_t cost = 0;          ///< what the change adds

    bool isPossible() const { return kind == Kind::Free || kind == Kind::Exchange; }
};

/// Lectures of a course, or an event, that a timetable leaves out.
struct DeskLeftOut {
    int item = 0;
    int count = 0;
};

/// A state with all that a desk computes from it. Ownership: refers to the model.
class DeskFigures {
public:
    DeskFigures() = default;
    DeskFigures(const DeskFigures&) = delete;
    DeskFigures& operator=(const DeskFigures&) = delete;
    virtual ~DeskFigures() = default;

    /// The timetable for pages, with closed places and pins.
    virtual TimetableView view() const = 0;
    virtual std::string summary() const = 0;
    /// Violations of hard constraints. Lectures and events that are left out count too.
    virtual std::int64_t violations() const = 0;
    virtual std::int64_t cost() const = 0;
    /// Whether the files of the results should hold the timetable.
    virtual bool isWorthKeeping() const = 0;
    virtual bool isRoomOpen(int room, int period) const = 0;
    virtual std::vector<DeskLeftOut> leftOut() const = 0;

    /// The offer of one place, or of each place, to the lecture or event that is in `from` now. Pins do not count.
    virtual DeskOffer offer(const DeskPlace& from, int period, int room) = 0;
    virtual std::vector<DeskOffer> offers(const DeskPlace& from) = 0;
    /// The offer of each place to a lecture or event that is left out.
    virtual std::vector<DeskOffer> offersForLeftOut(int item) = 0;
};

/// A result beside the present timetable.
struct DeskComparison {
    std::string summary;
    std::int64_t violations = 0;
    std::int64_t cost = 0;
    std::vector<std::string> moved;    ///< a text for each lecture or event that moves
};

/// A kind of problem as a desk needs it. Threads: one at a time.
class DeskModel {
public:
    DeskModel() = default;
    DeskModel(const DeskModel&) = delete;
    DeskModel& operator=(const DeskModel&) = delete;
    virtual ~DeskModel() = default;

    /// "lecture" or "event".
    virtual const char* noun() const = 0;
    /// Whether an item takes place once: true for events. A course may have several lectures.
    virtual bool isWholeItem() const = 0;
    virtual int itemCount() const = 0;
    virtual int periodCount() const = 0;
    virtual int roomCount() const = 0;
    virtual std::string itemName(int item) const = 0;
    virtual std::string roomName(int room) const = 0;
    virtual int seatsOf(int room) const = 0;
    virtual std::string periodText(int period) const = 0;
    virtual int studentsOf(int item) const = 0;

    /// The pins of the instance as it was given.
    virtual std::vector<DeskPlace> givenPins() const = 0;
    /// The lectures or events of a timetable for the instance as it was given.
    virtual std::vector<DeskPlace> placementsOf(const Slots& slots) const = 0;
    virtual std::unique_ptr<DeskFigures> figuresOf(const DeskState& state) const = 0;
    /// Says why the pins cannot be together; nothing when they can.
    virtual std::optional<std::string> contradictionIn(const DeskState& state) const = 0;
    /// The closings that close a room, or all rooms for -1, in a period, or all week for -1.
    /// Errors: HttpRefusal (409) where the kind of problem cannot have such a closing.
    virtual std::vector<DeskClosing> closingsFor(int room, int period) const = 0;
    /// The closings of the state as people read them: rooms that are closed all week are one closing.
    virtual std::vector<DeskClosing> summedClosings(const DeskState& state) const = 0;

    /// The instance with the wishes of the page, and the timetable for it. Of the pins, those that are met stay.
    virtual AnyInstance instanceToWrite(const DeskState& state) const = 0;
    virtual Slots slotsFor(const AnyInstance& instance, const DeskState& state) const = 0;
    /// The instance for a search that begins with the timetable of the state as the published one.
    virtual AnyInstance instanceToSolve(const DeskState& state, bool isCheap) const = 0;
    /// The lectures or events of a result of such a search.
    virtual std::vector<DeskPlace> placementsOf(const AnyInstance& solved, const Slots& slots) const = 0;
    virtual DeskComparison compare(const DeskState& state, const std::vector<DeskPlace>& result) const = 0;

    /// The pins as --pin reads them.
    virtual std::string pinTable(const DeskState& state) const = 0;
    /// The file that takes the closings of the page to the next run, and its name.
    virtual std::string closingsFile(const DeskState& state) const = 0;
    virtual std::string_view closingsFileName() const = 0;
};

/// Errors: std::invalid_argument for an instance that no reader would have accepted.
std::unique_ptr<const DeskModel> makeDeskModel(const AnyInstance& instance);

}    // namespace timetabling
