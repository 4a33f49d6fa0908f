#include <ferry/apps/timetabling/serve/CurriculumDesk.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/io/csvTables.hpp>
#include <ferry/apps/timetabling/curriculum/model/PinBoard.hpp>
#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/model/movedLectures.hpp>
#include <ferry/apps/timetabling/curriculum/report/CurriculumView.hpp>
#include <ferry/apps/timetabling/curriculum/report/TextReport.hpp>
#include <ferry/apps/timetabling/curriculum/search/SearchState.hpp>
#include <ferry/apps/timetabling/curriculum/search/placesFor.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>

namespace timetabling {

using curriculum::Instance;
using curriculum::Pin;
using curriculum::Placement;
using curriculum::PlaceOffer;
using curriculum::Problem;
using curriculum::RoomClosing;
using curriculum::SearchState;
using curriculum::Solution;

namespace {

Solution solutionOf(const std::vector<DeskPlace>& placements) {
    Solution solution;
    for (const DeskPlace& one : placements) solution.placements.push_back({one.item, one.period, one.room});
    return solution;
}

std::vector<DeskPlace> placesOf(const Solution& solution) {
    std::vector<DeskPlace> places;
    for (const Placement& one : solution.placements) places.push_back({one.course, one.period, one.room});
    return places;
}

/// Returns the instance with as many lectures of each course as the timetable has.
Instance withLecturesOf(Instance instance, const std::vector<DeskPlace>& placements) {
    for (curriculum::Course& course : instance.courses) course.lectureCount = 0;
    for (const DeskPlace& place : placements) ++instance.courses[static_cast<std::size_t>(place.item)].lectureCount;
    return instance;
}

Instance withoutPins(Instance instance) {
    instance.published.pins.clear();
    return instance;
}

/// Returns the instance as the costs need it: pins and the published timetable matter to no cost.
Instance forCosts(const Instance& instance, const std::vector<DeskPlace>& placements) {
    Instance result = withLecturesOf(instance, placements);
    result.published = {};
    return result;
}

DeskOffer::Kind kindOf(PlaceOffer::Kind kind) {
    switch (kind) {
        case PlaceOffer::Kind::Here: return DeskOffer::Kind::Here;
        case PlaceOffer::Kind::Free: return DeskOffer::Kind::Free;
        case PlaceOffer::Kind::Exchange: return DeskOffer::Kind::Exchange;
        case PlaceOffer::Kind::RoomIsClosed: return DeskOffer::Kind::RoomIsClosed;
        case PlaceOffer::Kind::PeriodIsClosed: return DeskOffer::Kind::PeriodIsClosed;
        case PlaceOffer::Kind::CourseIsThere: return DeskOffer::Kind::ItemIsThere;
        case PlaceOffer::Kind::OtherCannotLeave: return DeskOffer::Kind::OtherCannotLeave;
    }
    return DeskOffer::Kind::OtherCannotLeave;
}

class CurriculumFigures final : public DeskFigures {
public:
    /// 'whole' is the instance with the wishes of the page, and 'base' the one as it was given.
    CurriculumFigures(const Instance& whole, const Instance& base, const std::vector<DeskPlace>& placements)
        : base_(base),
          placements_(placements),
          solution_(solutionOf(placements)),
          shown_(whole),
          score_(curriculum::scoreOf(shown_, solution_)),
          loose_(forCosts(base, placements)),
          search_(loose_, curriculum::toSlots(loose_, solution_)) {}

    TimetableView view() const override { return makeView(shown_, solution_); }
    std::string summary() const override { return summarize(score_); }
    std::int64_t violations() const override { return score_.violations(); }
    std::int64_t cost() const override { return score_.cost(); }
    bool isWorthKeeping() const override { return score_.violations() == 0; }
    bool isRoomOpen(int room, int period) const override { return shown_.isRoomOpen(room, period); }

    std::vector<DeskLeftOut> leftOut() const override {
        std::vector<DeskLeftOut> result;
        for (int course = 0; course < shown_.courseCount(); ++course) {
            const int missing = shown_.course(course).lectureCount - loose_.course(course).lectureCount;
            if (missing > 0) result.push_back({course, missing});
        }
        return result;
    }

    DeskOffer offer(const DeskPlace& from, int period, int room) override {
        return toOffer(curriculum::placeFor(search_, lectureAt(from), loose_.slotOf(period, room)), from);
    }

    std::vector<DeskOffer> offers(const DeskPlace& from) override {
        std::vector<DeskOffer> result;
        for (const PlaceOffer& one : curriculum::placesFor(search_, lectureAt(from))) result.push_back(toOffer(one, from));
        return result;
    }

    /// The evaluation compares complete timetables. So the lecture goes to one free place, whose cost the exact scorer tells. All other
    /// places are compared with this one.
    std::vector<DeskOffer> offersForLeftOut(int item) override {
        std::vector<DeskOffer> result;
        std::optional<DeskPlace> first;
        for (int slot = 0; slot < shown_.slotCount(); ++slot) {
            DeskOffer offer;
            offer.period = shown_.periodOfSlot(slot);
            offer.room = shown_.roomOfSlot(slot);
            const int there = search_.lectureIn(slot);
            if (there >= 0) offer.other = loose_.courseOf(there);
            offer.kind = kindForLeftOut(item, offer);
            if (offer.isPossible() && !first) first = DeskPlace{item, offer.period, offer.room};
            result.push_back(offer);
        }
        if (!first) return result;
        std::vector<DeskPlace> more = placements_;
        more.push_back(*first);
        const curriculum::Score with = curriculum::scoreOf(shown_, solutionOf(more));
        const Problem extended(forCosts(base_, more));
        SearchState state(extended, curriculum::toSlots(extended, solutionOf(more)));
        const int lecture = state.lectureIn(extended.slotOf(first->period, first->room));
        for (DeskOffer& offer : result) {
            if (!offer.isPossible()) continue;
            const PlaceOffer there = curriculum::placeFor(state, lecture, extended.slotOf(offer.period, offer.room));
            offer.violations = with.violations() - score_.violations() + there.delta.conflicts;
            offer.cost = with.cost() - score_.cost() + there.delta.cost;
        }
        return result;
    }

private:
    int lectureAt(const DeskPlace& place) const { return search_.lectureIn(loose_.slotOf(place.period, place.room)); }

    DeskOffer::Kind kindForLeftOut(int course, const DeskOffer& offer) const {
        if (!shown_.isRoomOpen(offer.room, offer.period)) return DeskOffer::Kind::RoomIsClosed;
        if (!shown_.isAvailable(course, offer.period)) return DeskOffer::Kind::PeriodIsClosed;
        const bool isThere = std::any_of(placements_.begin(), placements_.end(),
                                         [&](const DeskPlace& one) { return one.item == course && one.period == offer.period; });
        if (isThere) return DeskOffer::Kind::ItemIsThere;
        return offer.other >= 0 ? DeskOffer::Kind::IsTaken : DeskOffer::Kind::Free;
    }

    /// A lecture that leaves a closed place ends a violation. None may come to a closed place.
    DeskOffer toOffer(const PlaceOffer& found, const DeskPlace& from) const {
        DeskOffer offer;
        offer.kind = kindOf(found.kind);
        offer.period = loose_.periodOfSlot(found.slot);
        offer.room = loose_.roomOfSlot(found.slot);
        if (found.other >= 0) offer.other = loose_.courseOf(found.other);
        const bool isClosedHere = !isRoomOpen(from.room, from.period);
        if (offer.kind != DeskOffer::Kind::Here && !isRoomOpen(offer.room, offer.period)) offer.kind = DeskOffer::Kind::RoomIsClosed;
        if (offer.kind == DeskOffer::Kind::Exchange && isClosedHere) offer.kind = DeskOffer::Kind::OtherCannotLeave;
        if (!offer.isPossible()) return offer;
        offer.violations = found.delta.conflicts - (isClosedHere ? 1 : 0);
        offer.cost = found.delta.cost;
        return offer;
    }

    const Instance& base_;
    std::vector<DeskPlace> placements_;
    Solution solution_;
    Problem shown_;    ///< the instance with the pins and closings of the page
    curriculum::Score score_;
    Problem loose_;    ///< the instance without pins and without the closings of the page, which leave present lectures where they are
    SearchState search_;
};

}    // namespace

CurriculumDesk::CurriculumDesk(const Instance& instance) : base_(instance), problem_(instance) { base_.rest.clear(); }

std::vector<DeskPlace> CurriculumDesk::givenPins() const {
    std::vector<DeskPlace> pins;
    for (const Pin& pin : base_.published.pins) pins.push_back({pin.course, pin.period, pin.room});
    return pins;
}

std::vector<DeskPlace> CurriculumDesk::placementsOf(const Slots& slots) const { return placesOf(curriculum::toSolution(problem_, slots)); }

std::unique_ptr<DeskFigures> CurriculumDesk::figuresOf(const DeskState& state) const {
    return std::make_unique<CurriculumFigures>(instanceOf(state), base_, state.placements);
}

std::optional<std::string> CurriculumDesk::contradictionIn(const DeskState& state) const {
    const Problem problem(withoutPins(instanceOf(state)));
    curriculum::PinBoard board(problem);
    for (const DeskPlace& pin : state.pins) {
        if (auto contradiction = board.add({pin.item, pin.period, pin.room})) return contradiction;
    }
    return std::nullopt;
}

std::vector<DeskClosing> CurriculumDesk::closingsFor(int room, int period) const {
    std::vector<DeskClosing> closings;
    for (int slot = 0; slot < problem_.slotCount(); ++slot) {
        const DeskClosing one{problem_.roomOfSlot(slot), problem_.periodOfSlot(slot)};
        if ((room < 0 || one.room == room) && (period < 0 || one.period == period)) closings.push_back(one);
    }
    return closings;
}

std::vector<DeskClosing> CurriculumDesk::summedClosings(const DeskState& state) const {
    const auto rooms = static_cast<std::size_t>(roomCount());
    const auto periods = static_cast<std::size_t>(periodCount());
    std::vector<std::size_t> ofRoom(rooms, 0);
    std::vector<std::size_t> ofPeriod(periods, 0);
    for (const DeskClosing& one : state.closings) {
        ++ofRoom[static_cast<std::size_t>(one.room)];
        ++ofPeriod[static_cast<std::size_t>(one.period)];
    }
    std::vector<DeskClosing> result;
    for (std::size_t room = 0; room < rooms; ++room) {
        if (ofRoom[room] == periods) result.push_back({static_cast<int>(room), -1});
    }
    for (std::size_t period = 0; period < periods; ++period) {
        if (ofPeriod[period] == rooms) result.push_back({-1, static_cast<int>(period)});
    }
    for (const DeskClosing& one : state.closings) {
        if (ofRoom[static_cast<std::size_t>(one.room)] < periods && ofPeriod[static_cast<std::size_t>(one.period)] < rooms)
            result.push_back(one);
    }
    return result;
}

Instance CurriculumDesk::instanceOf(const DeskState& state) const {
    Instance instance = base_;
    instance.published.pins.clear();
    for (const DeskPlace& pin : state.pins) instance.published.pins.push_back({pin.item, pin.period, pin.room});
    for (const DeskClosing& one : state.closings)
        instance.roomClosings.push_back({one.room, problem_.dayOf(one.period), problem_.periodOfDay(one.period)});
    return instance;
}

AnyInstance CurriculumDesk::instanceToWrite(const DeskState& state) const {
    Instance instance = instanceOf(state);
    std::erase_if(instance.published.pins, [&](const Pin& pin) {
        return std::none_of(state.placements.begin(), state.placements.end(), [&](const DeskPlace& one) {
            return one.item == pin.course && one.period == pin.period && (pin.room < 0 || one.room == pin.room);
        });
    });
    return instance;
}

Slots CurriculumDesk::slotsFor(const AnyInstance& instance, const DeskState& state) const {
    return curriculum::toSlots(Problem(std::get<Instance>(instance)), solutionOf(state.placements));
}

AnyInstance CurriculumDesk::instanceToSolve(const DeskState& state, bool isCheap) const {
    Instance instance = withLecturesOf(instanceOf(state), state.placements);
    curriculum::Published& published = instance.published;
    published.begin.clear();
    published.keepWeight.reset();
    if (isCheap) published.keepWeight = 0;
    published.lectures.clear();
    for (const DeskPlace& one : state.placements) published.lectures.push_back({one.item, one.period, one.room, placeText(one)});
    return instance;
}

std::vector<DeskPlace> CurriculumDesk::placementsOf(const AnyInstance& solved, const Slots& slots) const {
    return placesOf(curriculum::toSolution(Problem(std::get<Instance>(solved)), slots));
}

DeskComparison CurriculumDesk::compare(const DeskState& state, const std::vector<DeskPlace>& result) const {
    Instance instance = withoutPins(instanceOf(state));
    instance.published.lectures.clear();
    for (const DeskPlace& one : state.placements) instance.published.lectures.push_back({one.item, one.period, one.room, placeText(one)});
    const Problem problem(std::move(instance));
    const Solution solution = solutionOf(result);
    const curriculum::Score score = curriculum::scoreOf(problem, solution);
    DeskComparison comparison{summarize(score), score.violations(), score.cost(), {}};
    for (const Moved& moved : movedLectures(problem, solution))
        comparison.moved.push_back(timetabling::describe(moved, noun(), itemName(moved.item)));
    return comparison;
}

std::string CurriculumDesk::placeText(const DeskPlace& place) const {
    return fmt::format("{} room {}", periodText(place.period), roomName(place.room));
}

std::string CurriculumDesk::pinTable(const DeskState& state) const {
    const WeekNames& names = base_.names;
    std::string table = csvLine({"course", "day", "period", "room"});
    for (const DeskPlace& pin : state.pins)
        table += csvLine({itemName(pin.item), names.dayCell(problem_.dayOf(pin.period)), names.periodCell(problem_.periodOfDay(pin.period)),
                          pin.room < 0 ? "" : roomName(pin.room)});
    return table;
}

std::string CurriculumDesk::closingsFile(const DeskState& state) const {
    for (const auto& table : curriculum::writeCsvTables(withoutPins(instanceOf(state)))) {
        if (table.fileName == closingsFileName()) return table.text;
    }
    throw std::logic_error("the tables of an instance have no closed.csv");
}

}    // namespace timetabling
