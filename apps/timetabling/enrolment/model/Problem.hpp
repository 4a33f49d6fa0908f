#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Instance.hpp>
#include <ferry/apps/timetabling/enrolment/model/PublishedPlaces.hpp>
#include <ferry/apps/timetabling/model/IndexLists.hpp>

namespace timetabling::enrolment {

/// Throws std::invalid_argument when an index or a count is out of range. The text names the item, the expected range and the found
/// value.
void checkInstance(const Instance& instance);

/// A matrix of bits, all 0 at first.
class BitMatrix {
public:
    BitMatrix() = default;
    BitMatrix(std::size_t rows, std::size_t columns) : wordsPerRow_((columns + 63) / 64), words_(rows * wordsPerRow_, 0) {}

    bool get(int row, int column) const { return (words_[wordOf(row, column)] >> bitOf(column) & 1U) != 0; }
    void set(int row, int column) { words_[wordOf(row, column)] |= std::uint64_t{1} << bitOf(column); }

private:
    std::size_t wordOf(int row, int column) const {
        return static_cast<std::size_t>(row) * wordsPerRow_ + static_cast<std::size_t>(column) / 64;
    }
    static unsigned bitOf(int column) { return static_cast<unsigned>(column) % 64; }

    std::size_t wordsPerRow_ = 0;
    std::vector<std::uint64_t> words_;
};

/// An instance with all data that are derived from it.
///
/// Periods are numbered through the week: day * PeriodsPerDay + period of the day.
/// A slot is a period with a room: period * roomCount + room.
/// Pins narrow the problem. A pinned event has one open period, and one suitable room if the room is pinned too.
/// Periods that the pins do not leave to an event are closed to it.
/// Threads: the problem does not change after construction, so any number of threads may read it.
/// Errors: the constructor throws the exceptions of checkInstance().
class Problem {
public:
    explicit Problem(Instance instance);

    const Instance& instance() const { return instance_; }
    int eventCount() const { return static_cast<int>(instance_.featuresOfEvent.size()); }
    int roomCount() const { return static_cast<int>(instance_.roomSeats.size()); }
    int studentCount() const { return static_cast<int>(instance_.eventsOfStudent.size()); }
    int slotCount() const { return PeriodCount * roomCount(); }

    int periodOfSlot(int slot) const { return slot / roomCount(); }
    int roomOfSlot(int slot) const { return slot % roomCount(); }
    int slotOf(int period, int room) const { return period * roomCount() + room; }

    std::span<const int> studentsOf(int event) const { return studentsOf_[event]; }
    std::span<const int> suitableRooms(int event) const { return suitableRooms_[event]; }
    bool isSuitable(int event, int room) const { return isSuitable_.get(event, room); }
    std::span<const int> openPeriods(int event) const { return openPeriods_[event]; }
    bool isOpen(int event, int period) const { return isOpen_.get(event, period); }
    bool shareStudents(int eventA, int eventB) const { return sharesStudents_.get(eventA, eventB); }
    /// The events that have to be earlier than this one, and the events that have to be later.
    std::span<const int> earlierThan(int event) const { return earlier_[event]; }
    std::span<const int> laterThan(int event) const { return later_[event]; }

    /// Whether the two events cannot be in one period: they share students, one precedes the other, or both need the same single room.
    /// False for an event and itself.
    bool excludeEachOther(int eventA, int eventB) const { return excludes_.get(eventA, eventB); }
    std::span<const int> excludedBy(int event) const { return excludedBy_[event]; }

    bool hasPins() const { return !instance_.published.pins.empty(); }
    bool isPinned(int event) const { return hasPins() && isPinned_[static_cast<std::size_t>(event)]; }
    /// The published places of the events; null when no timetable was published.
    const PublishedPlaces* published() const { return published_ ? &*published_ : nullptr; }

    /// Contribution of a left-out event to the distance to feasibility: its number of students in the second competition, else 1.
    int absencePenalty(int event) const { return instance_.hasSecondRules ? static_cast<int>(studentsOf(event).size()) : 1; }

private:
    void findStudents();
    void findRooms();
    void findPeriods();
    void findExclusions();
    void heedPins();

    Instance instance_;
    IndexLists studentsOf_;
    IndexLists suitableRooms_;
    BitMatrix isSuitable_;
    IndexLists openPeriods_;
    BitMatrix isOpen_;
    IndexLists earlier_;
    IndexLists later_;
    BitMatrix sharesStudents_;
    BitMatrix excludes_;
    IndexLists excludedBy_;
    std::vector<bool> isPinned_;    ///< indexed by event; empty without pins
    std::optional<PublishedPlaces> published_;
};

/// Returns the instance with its pins removed.
Instance withoutPins(Instance instance);

}    // namespace timetabling::enrolment
