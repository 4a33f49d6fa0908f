#include <ferry/apps/timetabling/serve/EnrolmentDesk.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/enrolment/io/InstanceWriter.hpp>
#include <ferry/apps/timetabling/enrolment/model/PinBoard.hpp>
#include <ferry/apps/timetabling/enrolment/model/Score.hpp>
#include <ferry/apps/timetabling/enrolment/model/movedEvents.hpp>
#include <ferry/apps/timetabling/enrolment/model/wording.hpp>
#include <ferry/apps/timetabling/enrolment/report/EnrolmentView.hpp>
#include <ferry/apps/timetabling/enrolment/search/PlaceCosts.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>
#include <ferry/apps/timetabling/serve/CurriculumDesk.hpp>
#include <ferry/apps/timetabling/serve/HttpAnswer.hpp>

namespace timetabling {

namespace {

std::vector<DeskPlace> placesOf(const enrolment::Solution& solution) {
    std::vector<DeskPlace> places;
    for (std::size_t event = 0; event < solution.size(); ++event) {
        if (solution[event].isPlaced()) places.push_back({static_cast<int>(event), solution[event].period, solution[event].room});
    }
    return places;
}

class EnrolmentFigures final : public DeskFigures {
public:
    EnrolmentFigures(const enrolment::Instance& instance, enrolment::Solution solution, std::vector<enrolment::Pin> pins,
                     const std::vector<DeskClosing>& closings)
        : problem_(instance),
          pins_(std::move(pins)),
          closings_(closings),
          score_(enrolment::scoreOf(problem_, solution)),
          costs_(problem_, std::move(solution)),
          eventIn_(static_cast<std::size_t>(problem_.slotCount()), -1) {
        for (int event = 0; event < problem_.eventCount(); ++event) {
            const enrolment::Place& place = placeOf(event);
            if (place.isPlaced()) eventIn_[static_cast<std::size_t>(problem_.slotOf(place.period, place.room))] = event;
        }
    }

    TimetableView view() const override {
        TimetableView view = makeView(problem_, costs_.solution(), pins_);
        if (closings_.empty()) return view;
        for (int period = 0; period < enrolment::PeriodCount; ++period) {
            for (int room = 0; room < problem_.roomCount(); ++room) view.closedPlaces.push_back(!isRoomOpen(room, period));
        }
        return view;
    }
    std::string summary() const override { return summarize(score_); }
    std::int64_t violations() const override { return score_.violations() + score_.distance(); }
    std::int64_t cost() const override { return score_.cost(); }
    bool isWorthKeeping() const override {
        const enrolment::Instance& instance = problem_.instance();
        return score_.violations() == 0 && (score_.distance() == 0 || instance.hasSecondRules || instance.leavesOut);
    }
    bool isRoomOpen(int room, int period) const override {
        return std::none_of(closings_.begin(), closings_.end(), [&](const DeskClosing& one) {
            return (one.room < 0 || one.room == room) && (one.period < 0 || one.period == period);
        });
    }
    std::vector<DeskLeftOut> leftOut() const override {
        std::vector<DeskLeftOut> result;
        for (int event = 0; event < problem_.eventCount(); ++event) {
            if (!placeOf(event).isPlaced()) result.push_back({event, 1});
        }
        return result;
    }

    DeskOffer offer(const DeskPlace& from, int period, int room) override { return offerTo(from.item, period, room); }
    std::vector<DeskOffer> offers(const DeskPlace& from) override { return offersTo(from.item); }
    std::vector<DeskOffer> offersForLeftOut(int item) override { return offersTo(item); }

private:
    const enrolment::Place& placeOf(int event) const { return costs_.solution()[static_cast<std::size_t>(event)]; }
    bool canBe(int event, int period, int room) const { return problem_.isOpen(event, period) && problem_.isSuitable(event, room); }

    std::vector<DeskOffer> offersTo(int event) {
        std::vector<DeskOffer> result;
        for (int slot = 0; slot < problem_.slotCount(); ++slot)
            result.push_back(offerTo(event, problem_.periodOfSlot(slot), problem_.roomOfSlot(slot)));
        return result;
    }

    DeskOffer offerTo(int event, int period, int room) {
        DeskOffer offer;
        offer.period = period;
        offer.room = room;
        const int there = eventIn_[static_cast<std::size_t>(problem_.slotOf(period, room))];
        if (there != event) offer.other = there;
        offer.kind = kindOf(event, offer);
        if (!offer.isPossible()) return offer;
        const enrolment::PlaceChange change = costs_.changeOf(event, {period, room}, offer.other);
        offer.violations = change.violations;
        offer.cost = change.cost;
        return offer;
    }

    DeskOffer::Kind kindOf(int event, const DeskOffer& to) const {
        const enrolment::Place& from = placeOf(event);
        if (from == enrolment::Place{to.period, to.room}) return DeskOffer::Kind::Here;
        if (!isRoomOpen(to.room, to.period)) return DeskOffer::Kind::RoomIsClosed;
        if (!problem_.isOpen(event, to.period)) return DeskOffer::Kind::PeriodIsClosed;
        if (!problem_.isSuitable(event, to.room)) return DeskOffer::Kind::RoomDoesNotSuit;
        if (to.other < 0) return DeskOffer::Kind::Free;
        if (!from.isPlaced()) return DeskOffer::Kind::IsTaken;
        return canBe(to.other, from.period, from.room) ? DeskOffer::Kind::Exchange : DeskOffer::Kind::OtherCannotLeave;
    }

    enrolment::Problem problem_;    ///< with the closings of the page, without pins
    std::vector<enrolment::Pin> pins_;
    std::vector<DeskClosing> closings_;
    enrolment::Score score_;
    enrolment::PlaceCosts costs_;
    std::vector<int> eventIn_;    ///< indexed by slot: an event in the place, or -1
};

std::vector<enrolment::Pin> pinsOf(const DeskState& state) {
    std::vector<enrolment::Pin> pins;
    for (const DeskPlace& pin : state.pins) pins.push_back({pin.item, pin.period, pin.room});
    return pins;
}

}    // namespace

EnrolmentDesk::EnrolmentDesk(const enrolment::Instance& instance) : base_(instance), problem_(withoutPins(instance)) {}

std::string EnrolmentDesk::itemName(int item) const { return fmt::format("event {}", item); }
std::string EnrolmentDesk::roomName(int room) const { return fmt::to_string(room); }
std::string EnrolmentDesk::periodText(int period) const { return enrolment::when(period); }

std::vector<DeskPlace> EnrolmentDesk::givenPins() const {
    std::vector<DeskPlace> pins;
    for (const enrolment::Pin& pin : base_.published.pins) pins.push_back({pin.event, pin.period, pin.room});
    return pins;
}

std::vector<DeskPlace> EnrolmentDesk::placementsOf(const Slots& slots) const { return placesOf(enrolment::toSolution(problem_, slots)); }

std::unique_ptr<DeskFigures> EnrolmentDesk::figuresOf(const DeskState& state) const {
    return std::make_unique<EnrolmentFigures>(instanceOf(state), solutionOf(state.placements), pinsOf(state), state.closings);
}

std::optional<std::string> EnrolmentDesk::contradictionIn(const DeskState& state) const {
    const enrolment::Problem problem(instanceOf(state));
    enrolment::PinBoard board(problem);
    for (const enrolment::Pin& pin : pinsOf(state)) {
        if (auto contradiction = board.add(pin)) return contradiction;
    }
    return std::nullopt;
}

std::vector<DeskClosing> EnrolmentDesk::closingsFor(int room, int period) const {
    constexpr int conflict = 409;
    if (room >= 0 && period >= 0)
        throw HttpRefusal(conflict, "a post-enrolment instance closes a room for the whole week, or a period for all rooms");
    if (period >= 0 && !base_.hasSecondRules) throw HttpRefusal(conflict, "an instance by the rules of ITC-2002 has no closed periods");
    return {{room, period}};
}

/// Closes a room by taking its seats. An event without students could still be there.
enrolment::Instance EnrolmentDesk::instanceOf(const DeskState& state) const {
    enrolment::Instance instance = withoutPins(base_);
    for (const DeskClosing& one : state.closings) {
        if (one.room >= 0) instance.roomSeats[static_cast<std::size_t>(one.room)] = 0;
        if (one.period < 0) continue;
        for (std::vector<int>& closed : instance.second.closedPeriods) {
            const auto at = std::lower_bound(closed.begin(), closed.end(), one.period);
            if (at == closed.end() || *at != one.period) closed.insert(at, one.period);
        }
    }
    return instance;
}

enrolment::Solution EnrolmentDesk::solutionOf(const std::vector<DeskPlace>& placements) const {
    enrolment::Solution solution(static_cast<std::size_t>(problem_.eventCount()));
    for (const DeskPlace& one : placements) solution[static_cast<std::size_t>(one.item)] = {one.period, one.room};
    return solution;
}

AnyInstance EnrolmentDesk::instanceToWrite(const DeskState& state) const {
    enrolment::Instance instance = instanceOf(state);
    const enrolment::Solution solution = solutionOf(state.placements);
    for (const enrolment::Pin& pin : pinsOf(state)) {
        const enrolment::Place& place = solution[static_cast<std::size_t>(pin.event)];
        if (place.period == pin.period && (pin.room < 0 || place.room == pin.room)) instance.published.pins.push_back(pin);
    }
    return instance;
}

Slots EnrolmentDesk::slotsFor(const AnyInstance& /*instance*/, const DeskState& state) const {
    return enrolment::toSlots(problem_, solutionOf(state.placements));
}

AnyInstance EnrolmentDesk::instanceToSolve(const DeskState& state, bool isCheap) const {
    enrolment::Instance instance = instanceOf(state);
    instance.published.pins = pinsOf(state);
    instance.published.places = solutionOf(state.placements);
    instance.published.keepWeight.reset();
    if (isCheap) instance.published.keepWeight = 0;
    return instance;
}

std::vector<DeskPlace> EnrolmentDesk::placementsOf(const AnyInstance& /*solved*/, const Slots& slots) const { return placementsOf(slots); }

DeskComparison EnrolmentDesk::compare(const DeskState& state, const std::vector<DeskPlace>& result) const {
    enrolment::Instance instance = instanceOf(state);
    instance.published.places = solutionOf(state.placements);
    const enrolment::Problem problem(std::move(instance));
    const enrolment::Solution solution = solutionOf(result);
    const enrolment::Score score = enrolment::scoreOf(problem, solution);
    DeskComparison comparison{summarize(score), score.violations() + score.distance(), score.cost(), {}};
    for (const Moved& moved : movedEvents(problem, solution))
        comparison.moved.push_back(timetabling::describe(moved, noun(), itemName(moved.item)));
    return comparison;
}

std::string EnrolmentDesk::pinTable(const DeskState& state) const {
    std::string table = csvLine({"event", "day", "period", "room"});
    for (const DeskPlace& pin : state.pins)
        table += csvLine({fmt::to_string(pin.item), fmt::to_string(pin.period / enrolment::PeriodsPerDay),
                          fmt::to_string(pin.period % enrolment::PeriodsPerDay), pin.room < 0 ? "" : fmt::to_string(pin.room)});
    return table;
}

std::string EnrolmentDesk::closingsFile(const DeskState& state) const { return enrolment::writeInstance(instanceOf(state)); }

std::unique_ptr<const DeskModel> makeDeskModel(const AnyInstance& instance) {
    if (const auto* curricula = std::get_if<curriculum::Instance>(&instance)) return std::make_unique<CurriculumDesk>(*curricula);
    return std::make_unique<EnrolmentDesk>(std::get<enrolment::Instance>(instance));
}

}    // namespace timetabling
