#include <ferry/apps/timetabling/enrolment/io/Generator.hpp>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/model/CheckCount.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling::enrolment {

namespace {

constexpr double FeatureOfRoomShare = 0.6;
constexpr double FeatureOfEventShare = 0.3;    ///< share of the features of the hidden room
constexpr int FewestEventsOfStudent = 5;
constexpr int MostEventsOfStudent = 20;
constexpr double ClosedShare = 0.4;
constexpr double PrecedenceShare = 0.2;    ///< number of precedences per event

class Generator {
public:
    explicit Generator(const GeneratorOptions& options) : options_(options), random_(options.seed) {
        checkCount("events", options.eventCount, 1, limits::EventCount);
        checkCount("rooms", options.roomCount, 1, limits::RoomCount);
        checkCount("features", options.featureCount, 0, limits::FeatureCount);
        checkCount("students", options.studentCount, 0, limits::StudentCount);
        const int places = options.roomCount * PeriodCount;
        if (options.eventCount > places) {
            throw std::invalid_argument(fmt::format("the events do not fit: {} events, but {} rooms x {} periods", options.eventCount,
                                                    options.roomCount, PeriodCount));
        }
        hiddenSlots_.resize(static_cast<std::size_t>(places));
        std::iota(hiddenSlots_.begin(), hiddenSlots_.end(), 0);
        random_.shuffle(hiddenSlots_);
        hiddenSlots_.resize(static_cast<std::size_t>(options.eventCount));
    }

    Instance generate() {
        instance_.name = fmt::format("generated{}", options_.seed);
        instance_.featureCount = options_.featureCount;
        enrol();
        equip();
        instance_.hasSecondRules = options_.hasSecondRules;
        if (options_.hasSecondRules) restrict();
        checkInstance(instance_);
        return std::move(instance_);
    }

private:
    int periodOf(int event) const { return hiddenSlots_[static_cast<std::size_t>(event)] / options_.roomCount; }
    int roomOf(int event) const { return hiddenSlots_[static_cast<std::size_t>(event)] % options_.roomCount; }

    /// Enrols the students. A student attends only events in different periods of the hidden timetable.
    void enrol() {
        for (int student = 0; student < options_.studentCount; ++student) {
            const int wanted = FewestEventsOfStudent + random_.below(MostEventsOfStudent - FewestEventsOfStudent + 1);
            std::vector<bool> isBusy(static_cast<std::size_t>(PeriodCount), false);
            std::vector<int> events;
            for (int i = 0; i < wanted; ++i) {
                const int event = random_.below(options_.eventCount);
                const auto period = static_cast<std::size_t>(periodOf(event));
                if (isBusy[period]) continue;
                isBusy[period] = true;
                events.push_back(event);
            }
            std::sort(events.begin(), events.end());
            instance_.eventsOfStudent.push_back(std::move(events));
        }
    }

    /// Equips the rooms. A room gets the seats and features that its events in the hidden timetable need.
    void equip() {
        std::vector<int> guests(static_cast<std::size_t>(options_.eventCount), 0);
        for (const std::vector<int>& events : instance_.eventsOfStudent) {
            for (const int event : events) ++guests[static_cast<std::size_t>(event)];
        }
        instance_.roomSeats.assign(static_cast<std::size_t>(options_.roomCount), 1);
        for (int event = 0; event < options_.eventCount; ++event) {
            int& seats = instance_.roomSeats[static_cast<std::size_t>(roomOf(event))];
            seats = std::max(seats, guests[static_cast<std::size_t>(event)]);
        }
        for (int room = 0; room < options_.roomCount; ++room) {
            std::vector<int> features;
            for (int feature = 0; feature < options_.featureCount; ++feature) {
                if (random_.fraction() < FeatureOfRoomShare) features.push_back(feature);
            }
            instance_.featuresOfRoom.push_back(std::move(features));
        }
        for (int event = 0; event < options_.eventCount; ++event) {
            std::vector<int> features;
            for (const int feature : instance_.featuresOfRoom[static_cast<std::size_t>(roomOf(event))]) {
                if (random_.fraction() < FeatureOfEventShare) features.push_back(feature);
            }
            instance_.featuresOfEvent.push_back(std::move(features));
        }
    }

    /// Closes periods and adds precedences, as far as the hidden timetable allows.
    void restrict() {
        for (int event = 0; event < options_.eventCount; ++event) {
            std::vector<int> closed;
            for (int period = 0; period < PeriodCount; ++period) {
                if (period != periodOf(event) && random_.fraction() < ClosedShare) closed.push_back(period);
            }
            instance_.second.closedPeriods.push_back(std::move(closed));
        }
        BitMatrix isSet(static_cast<std::size_t>(options_.eventCount), static_cast<std::size_t>(options_.eventCount));
        const int count = static_cast<int>(PrecedenceShare * options_.eventCount);
        for (int i = 0; i < count; ++i) {
            int before = random_.below(options_.eventCount);
            int after = random_.below(options_.eventCount);
            if (periodOf(before) > periodOf(after)) std::swap(before, after);
            if (periodOf(before) == periodOf(after) || isSet.get(before, after)) continue;
            isSet.set(before, after);
            instance_.second.precedences.push_back({before, after});
        }
        std::sort(instance_.second.precedences.begin(), instance_.second.precedences.end(),
                  [](const Precedence& a, const Precedence& b) { return std::pair(a.before, a.after) < std::pair(b.before, b.after); });
    }

    GeneratorOptions options_;
    Random random_;
    Instance instance_;
    std::vector<int> hiddenSlots_;    ///< indexed by event
};

}    // namespace

Instance generateInstance(const GeneratorOptions& options) { return Generator(options).generate(); }

}    // namespace timetabling::enrolment
