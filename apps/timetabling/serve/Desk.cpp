#include <ferry/apps/timetabling/serve/Desk.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/model/counted.hpp>
#include <ferry/apps/timetabling/serve/HttpAnswer.hpp>

namespace timetabling {

namespace {

using Kind = DeskOffer::Kind;

constexpr std::size_t MostUndone = 200;
constexpr std::size_t MostListedMoves = 200;
constexpr std::size_t MostPlaces = 50'000;
constexpr double LeastSeconds = 0.1;
constexpr double MostSeconds = 86'400;

constexpr int BadRequest = 400;
constexpr int NotFound = 404;
constexpr int Conflict = 409;

void requireRange(const char* what, int value, int first, int last) {
    if (value < first || value > last)
        throw HttpRefusal(BadRequest, fmt::format("{}: expected {} to {}, found {}", what, first, last, value));
}

const char* nameOf(Kind kind) {
    switch (kind) {
        case Kind::Here: return "here";
        case Kind::Free: return "free";
        case Kind::Exchange: return "exchange";
        case Kind::RoomIsClosed: return "room closed";
        case Kind::PeriodIsClosed: return "period closed";
        case Kind::ItemIsThere: return "course is there";
        case Kind::RoomDoesNotSuit: return "room does not suit";
        case Kind::OtherCannotLeave: return "other cannot leave";
        case Kind::IsTaken: return "taken";
    }
    return "";
}

/// Says why a lecture or an event cannot go to a place.
std::string reasonOf(Kind kind, const char* noun) {
    switch (kind) {
        case Kind::Here: return fmt::format("the {} is there already", noun);
        case Kind::RoomIsClosed: return "the room is closed then";
        case Kind::PeriodIsClosed: return fmt::format("the period is closed to the {}", noun);
        case Kind::ItemIsThere: return "another lecture of the course is in this period";
        case Kind::RoomDoesNotSuit: return "the room is too small or lacks a feature";
        case Kind::IsTaken: return "the place is in use";
        default: return fmt::format("the {} there cannot go to the place of this one", noun);
    }
}

std::string costText(std::int64_t cost) { return cost == 0 ? "no change of the cost" : fmt::format("cost {:+}", cost); }

void sortPlaces(std::vector<DeskPlace>& places) {
    std::sort(places.begin(), places.end(), [](const DeskPlace& a, const DeskPlace& b) {
        return std::tie(a.item, a.period, a.room) < std::tie(b.item, b.period, b.room);
    });
}

}    // namespace

/// The result of a search, with its description.
struct Desk::Proposal {
    std::vector<DeskPlace> placements;
    Json description;
};

Desk::Desk(const AnyInstance& instance) : model_(makeDeskModel(instance)) {}

Desk::~Desk() = default;

void Desk::follow(const Slots& slots) {
    const std::lock_guard lock(mutex_);
    state_ = DeskState{model_->placementsOf(slots), model_->givenPins(), {}};
    ++version_;
    figures_.reset();
}

void Desk::open() {
    const std::lock_guard lock(mutex_);
    isSearching_ = false;
    isStopWanted_ = false;
    ++version_;
}

std::optional<DeskOrder> Desk::takeOrder() {
    const std::lock_guard lock(mutex_);
    if (orders_.empty()) return std::nullopt;
    DeskOrder order;
    order.kind = orders_.front();
    orders_.pop_front();
    if (!state_) return order;
    order.seconds = seconds_;
    if (order.kind == DeskOrder::Kind::Solve) order.instance = model_->instanceToSolve(*state_, isCheap_);
    if (order.kind != DeskOrder::Kind::Write) return order;
    order.instance = model_->instanceToWrite(*state_);
    order.slots = model_->slotsFor(order.instance, *state_);
    order.isWorthKeeping = figures().isWorthKeeping();
    return order;
}

bool Desk::isStopWanted() const {
    const std::lock_guard lock(mutex_);
    return isStopWanted_;
}

void Desk::propose(const AnyInstance& solved, const Slots& slots, const std::string& sentence) {
    const std::lock_guard lock(mutex_);
    std::vector<DeskPlace> result = model_->placementsOf(solved, slots);
    Json description = describe(result, sentence);
    proposal_ = std::make_unique<const Proposal>(Proposal{std::move(result), std::move(description)});
    told_ = "the search has a result, which waits to be taken over";
    isSearching_ = false;
    isStopWanted_ = false;
    ++version_;
}

void Desk::fail(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    told_ = reason;
    isSearching_ = false;
    isStopWanted_ = false;
    ++version_;
}

std::uint64_t Desk::version() const {
    const std::lock_guard lock(mutex_);
    return version_;
}

bool Desk::hasTimetable() const {
    const std::lock_guard lock(mutex_);
    return state_.has_value();
}

TimetableView Desk::view(std::uint64_t& version) const {
    const std::lock_guard lock(mutex_);
    version = version_;
    return figures().view();
}

DeskFigures& Desk::figures() const {
    if (!figures_) figures_ = model_->figuresOf(*state_);
    return *figures_;
}

std::string Desk::placeText(int period, int room) const {
    const std::string time = model_->periodText(period);
    return room < 0 ? time : fmt::format("{} room {}", time, model_->roomName(room));
}

bool Desk::isMet(const DeskPlace& pin) const {
    const std::vector<DeskPlace>& placements = state_->placements;
    return std::any_of(placements.begin(), placements.end(), [&](const DeskPlace& one) {
        return one.item == pin.item && one.period == pin.period && (pin.room < 0 || one.room == pin.room);
    });
}

bool Desk::isPinned(const DeskPlace& place) const {
    return std::any_of(state_->pins.begin(), state_->pins.end(), [&](const DeskPlace& pin) {
        return pin.item == place.item && pin.period == place.period && (pin.room < 0 || pin.room == place.room);
    });
}

void Desk::requireItem(int item) const {
    if (!state_) throw HttpRefusal(NotFound, "there is no timetable yet");
    requireRange("course", item, 0, model_->itemCount() - 1);
}

/// Returns the place of what the item has in this period.
DeskPlace Desk::placeAt(int item, int period) const {
    requireItem(item);
    requireRange("period", period, 0, model_->periodCount() - 1);
    for (const DeskPlace& one : state_->placements) {
        if (one.item == item && one.period == period) return one;
    }
    throw HttpRefusal(NotFound, fmt::format("{} has nothing on {}", model_->itemName(item), model_->periodText(period)));
}

Desk::Json Desk::places(int item, int period) const {
    const std::lock_guard lock(mutex_);
    const DeskPlace here = placeAt(item, period);
    Json answer;
    answer["version"] = version_;
    answer["course"] = model_->itemName(item);
    answer["at"] = placeText(period, here.room);
    answer["period"] = period;
    answer["room"] = here.room;
    answer["students"] = model_->studentsOf(item);
    answer["isPinned"] = isPinned(here);
    answer.update(placesJson(figures().offers(here)));
    return answer;
}

Desk::Json Desk::placesForLeftOut(int item) const {
    const std::lock_guard lock(mutex_);
    requireItem(item);
    const std::vector<DeskLeftOut> leftOut = figures().leftOut();
    if (std::none_of(leftOut.begin(), leftOut.end(), [item](const DeskLeftOut& one) { return one.item == item; }))
        throw HttpRefusal(NotFound, fmt::format("nothing of {} is left out", model_->itemName(item)));
    Json answer;
    answer["version"] = version_;
    answer["course"] = model_->itemName(item);
    answer["at"] = "left out";
    answer["students"] = model_->studentsOf(item);
    answer["isPinned"] = false;
    answer.update(placesJson(figures().offersForLeftOut(item)));
    return answer;
}

Desk::Json Desk::placesJson(std::vector<DeskOffer> offers) const {
    Json answer;
    answer["places"] = Json::array();
    if (offers.size() > MostPlaces) {
        const auto key = [](const DeskOffer& offer) { return std::tuple(!offer.isPossible(), offer.violations, offer.cost); };
        std::stable_sort(offers.begin(), offers.end(), [&](const DeskOffer& a, const DeskOffer& b) { return key(a) < key(b); });
        answer["leftOut"] = offers.size() - MostPlaces;
        offers.resize(MostPlaces);
    }
    for (const DeskOffer& offer : offers) {
        Json place;
        place["period"] = offer.period;
        place["room"] = offer.room;
        if (offer.other >= 0) place["with"] = model_->itemName(offer.other);
        const bool isHeld = offer.isPossible() && offer.other >= 0 && isPinned({offer.other, offer.period, offer.room});
        place["kind"] = isHeld ? "pinned" : nameOf(offer.kind);
        if (offer.isPossible() && !isHeld) {
            place["violations"] = offer.violations;
            place["cost"] = offer.cost;
        }
        answer["places"].push_back(std::move(place));
    }
    return answer;
}

Desk::Json Desk::freeRooms() const {
    const std::lock_guard lock(mutex_);
    if (!state_) throw HttpRefusal(NotFound, "there is no timetable yet");
    const auto rooms = static_cast<std::size_t>(model_->roomCount());
    std::vector<bool> isUsed(rooms * static_cast<std::size_t>(model_->periodCount()), false);
    for (const DeskPlace& one : state_->placements)
        isUsed[static_cast<std::size_t>(one.period) * rooms + static_cast<std::size_t>(one.room)] = true;
    Json answer;
    answer["version"] = version_;
    answer["periods"] = Json::array();
    for (int period = 0; period < model_->periodCount(); ++period) {
        Json row;
        row["period"] = period;
        row["text"] = model_->periodText(period);
        row["rooms"] = Json::array();
        for (int room = 0; room < model_->roomCount(); ++room) {
            const std::size_t place = static_cast<std::size_t>(period) * rooms + static_cast<std::size_t>(room);
            if (isUsed[place] || !figures().isRoomOpen(room, period)) continue;
            row["rooms"].push_back({{"room", model_->roomName(room)}, {"seats", model_->seatsOf(room)}});
        }
        answer["periods"].push_back(std::move(row));
    }
    return answer;
}

std::string Desk::document(Document kind) const {
    const std::lock_guard lock(mutex_);
    if (!state_) throw HttpRefusal(NotFound, "there is no timetable yet");
    if (kind == Document::Pins) return model_->pinTable(*state_);
    if (kind == Document::Closings) return model_->closingsFile(*state_);
    DeskState shown = *state_;
    shown.pins.clear();
    const AnyInstance instance = model_->instanceToWrite(shown);
    const std::unique_ptr<const Presenter> presenter = makePresenter(instance);
    const Slots slots = model_->slotsFor(instance, shown);
    return kind == Document::Csv ? presenter->csvTable(slots) : presenter->jsonDocument(slots);
}

Desk::Json Desk::state() const {
    const std::lock_guard lock(mutex_);
    Json answer;
    answer["version"] = version_;
    answer["isSearching"] = isSearching_;
    answer["told"] = told_;
    answer["hasTimetable"] = state_.has_value();
    if (!state_) return answer;
    answer["summary"] = figures().summary();
    answer["violations"] = figures().violations();
    answer["cost"] = figures().cost();
    answer["undoable"] = earlier_.size();
    answer["noun"] = model_->noun();
    answer["leftOut"] = leftOutJson();
    answer["pins"] = pinsJson();
    answer["closings"] = closingsJson();
    answer["proposal"] = proposal_ ? proposal_->description : Json();
    return answer;
}

Desk::Json Desk::leftOutJson() const {
    Json result = Json::array();
    const std::vector<DeskLeftOut> leftOut = figures().leftOut();
    for (std::size_t i = 0; i < std::min(leftOut.size(), MostListedMoves); ++i) {
        const std::string name = model_->itemName(leftOut[i].item);
        const std::string count = counted(leftOut[i].count, model_->noun());
        result.push_back({{"course", leftOut[i].item},
                          {"count", leftOut[i].count},
                          {"text", model_->isWholeItem() ? name : fmt::format("{}, {}", name, count)}});
    }
    return result;
}

Desk::Json Desk::pinsJson() const {
    Json pins = Json::array();
    for (const DeskPlace& pin : state_->pins)
        pins.push_back({{"course", pin.item},
                        {"period", pin.period},
                        {"room", pin.room},
                        {"text", fmt::format("{} on {}", model_->itemName(pin.item), placeText(pin.period, pin.room))},
                        {"isMet", isMet(pin)}});
    return pins;
}

/// Tells rooms that are closed all week, and periods in which all rooms are closed, as one closing each.
Desk::Json Desk::closingsJson() const {
    Json closings = Json::array();
    for (const DeskClosing& one : model_->summedClosings(*state_)) {
        const std::string room = one.room < 0 ? "all rooms" : "room " + model_->roomName(one.room);
        closings.push_back(
            {{"room", one.room},
             {"period", one.period},
             {"text", one.period < 0 ? room + ", all week" : fmt::format("{} on {}", room, model_->periodText(one.period))}});
    }
    return closings;
}

/// Describes a result beside the present timetable.
Desk::Json Desk::describe(const std::vector<DeskPlace>& result, const std::string& sentence) const {
    const DeskComparison comparison = model_->compare(*state_, result);
    Json answer;
    answer["summary"] = comparison.summary;
    answer["violations"] = comparison.violations;
    answer["cost"] = comparison.cost;
    answer["sentence"] = sentence;
    answer["movedCount"] = comparison.moved.size();
    answer["moved"] = Json::array();
    for (std::size_t i = 0; i < std::min(comparison.moved.size(), MostListedMoves); ++i) answer["moved"].push_back(comparison.moved[i]);
    return answer;
}

void Desk::requireReady(std::uint64_t version) const {
    if (!state_) throw HttpRefusal(Conflict, "there is no timetable yet");
    if (isSearching_) throw HttpRefusal(Conflict, "a search is running: it has to end or to be stopped first");
    if (version != version_)
        throw HttpRefusal(Conflict,
                          fmt::format("the page shows version {}, but the timetable is at version {}: load it again", version, version_));
}

/// Makes the next state the present one. The files of the results follow.
void Desk::change(DeskState next, std::string told) {
    sortPlaces(next.placements);
    earlier_.push_back(std::move(*state_));
    if (earlier_.size() > MostUndone) earlier_.erase(earlier_.begin());
    state_ = std::move(next);
    ++version_;
    proposal_.reset();
    figures_.reset();
    told_ = std::move(told);
    order(DeskOrder::Kind::Write);
}

/// Changes pins or closings, which may not contradict each other.
void Desk::changeWish(DeskState next, std::string told) {
    if (const auto contradiction = model_->contradictionIn(next)) throw HttpRefusal(Conflict, *contradiction);
    change(std::move(next), std::move(told));
}

void Desk::order(DeskOrder::Kind kind) {
    if (orders_.empty() || orders_.back() != kind) orders_.push_back(kind);
}

void Desk::move(std::uint64_t version, int item, int period, int toPeriod, int toRoom) {
    const std::lock_guard lock(mutex_);
    requireReady(version);
    const DeskPlace here = placeAt(item, period);
    requireRange("toPeriod", toPeriod, 0, model_->periodCount() - 1);
    requireRange("toRoom", toRoom, 0, model_->roomCount() - 1);
    if (isPinned(here)) throw HttpRefusal(Conflict, fmt::format("the {} is pinned: take the pin away first", model_->noun()));
    const DeskOffer offer = figures().offer(here, toPeriod, toRoom);
    if (!offer.isPossible()) throw HttpRefusal(Conflict, reasonOf(offer.kind, model_->noun()));
    DeskState next = *state_;
    std::string told = fmt::format("{}: {} -> {}", model_->itemName(item), placeText(period, here.room), placeText(toPeriod, toRoom));
    const auto placementOf = [&](const DeskPlace& place) -> DeskPlace& {
        return *std::find(next.placements.begin(), next.placements.end(), place);
    };
    DeskPlace& mine = placementOf(here);
    if (offer.kind == Kind::Exchange) {
        const DeskPlace there{offer.other, toPeriod, toRoom};
        if (isPinned(there)) throw HttpRefusal(Conflict, fmt::format("the {} there is pinned: take its pin away first", model_->noun()));
        placementOf(there) = {offer.other, period, here.room};
        told += fmt::format(", exchanged with {}", model_->itemName(offer.other));
    }
    mine = {item, toPeriod, toRoom};
    change(std::move(next), told + "; " + costText(offer.cost));
}

void Desk::place(std::uint64_t version, int item, int toPeriod, int toRoom) {
    const std::lock_guard lock(mutex_);
    requireReady(version);
    requireItem(item);
    requireRange("toPeriod", toPeriod, 0, model_->periodCount() - 1);
    requireRange("toRoom", toRoom, 0, model_->roomCount() - 1);
    const std::vector<DeskLeftOut> leftOut = figures().leftOut();
    if (std::none_of(leftOut.begin(), leftOut.end(), [item](const DeskLeftOut& one) { return one.item == item; }))
        throw HttpRefusal(Conflict, fmt::format("nothing of {} is left out", model_->itemName(item)));
    for (const DeskOffer& offer : figures().offersForLeftOut(item)) {
        if (offer.period != toPeriod || offer.room != toRoom) continue;
        if (!offer.isPossible()) throw HttpRefusal(Conflict, reasonOf(offer.kind, model_->noun()));
        DeskState next = *state_;
        next.placements.push_back({item, toPeriod, toRoom});
        change(std::move(next),
               fmt::format("{}: left out -> {}; {}", model_->itemName(item), placeText(toPeriod, toRoom), costText(offer.cost)));
        return;
    }
}

void Desk::leaveOut(std::uint64_t version, int item, int period) {
    const std::lock_guard lock(mutex_);
    requireReady(version);
    const DeskPlace here = placeAt(item, period);
    if (isPinned(here)) throw HttpRefusal(Conflict, fmt::format("the {} is pinned: take the pin away first", model_->noun()));
    if (state_->placements.size() == 1) throw HttpRefusal(Conflict, fmt::format("it is the last {} of the timetable", model_->noun()));
    DeskState next = *state_;
    std::erase(next.placements, here);
    change(std::move(next), fmt::format("{}: {} -> left out", model_->itemName(item), placeText(period, here.room)));
}

void Desk::pin(std::uint64_t version, int item, int period, int toPeriod, int toRoom) {
    const std::lock_guard lock(mutex_);
    requireReady(version);
    placeAt(item, period);
    requireRange("toPeriod", toPeriod, 0, model_->periodCount() - 1);
    requireRange("toRoom", toRoom, -1, model_->roomCount() - 1);
    DeskState next = *state_;
    // A lecture has one pin: that of the place where it was pinned before goes.
    std::erase_if(next.pins, [&](const DeskPlace& pin) { return pin.item == item && (pin.period == period || model_->isWholeItem()); });
    next.pins.push_back({item, toPeriod, toRoom});
    changeWish(std::move(next), fmt::format("pinned: {} on {}", model_->itemName(item), placeText(toPeriod, toRoom)));
}

void Desk::unpin(std::uint64_t version, int item, int period) {
    const std::lock_guard lock(mutex_);
    requireReady(version);
    requireItem(item);
    requireRange("period", period, 0, model_->periodCount() - 1);
    DeskState next = *state_;
    const auto count = std::erase_if(next.pins, [&](const DeskPlace& pin) { return pin.item == item && pin.period == period; });
    if (count == 0) throw HttpRefusal(NotFound, fmt::format("{} has no pin on {}", model_->itemName(item), model_->periodText(period)));
    changeWish(std::move(next), fmt::format("no longer pinned: {} on {}", model_->itemName(item), model_->periodText(period)));
}

void Desk::setClosed(std::uint64_t version, int room, int period, bool isClosed) {
    const std::lock_guard lock(mutex_);
    requireReady(version);
    requireRange("room", room, -1, model_->roomCount() - 1);
    requireRange("period", period, -1, model_->periodCount() - 1);
    if (room < 0 && period < 0) throw HttpRefusal(BadRequest, "expected a room or a period, found neither");
    DeskState next = *state_;
    const std::vector<DeskClosing> concerned = model_->closingsFor(room, period);
    const auto count = std::erase_if(
        next.closings, [&](const DeskClosing& one) { return std::find(concerned.begin(), concerned.end(), one) != concerned.end(); });
    if (!isClosed && count == 0) throw HttpRefusal(NotFound, "nothing was closed there in this page");
    if (isClosed) next.closings.insert(next.closings.end(), concerned.begin(), concerned.end());
    const std::string where = room < 0 ? "all rooms" : "room " + model_->roomName(room);
    const std::string when = period < 0 ? "all week" : model_->periodText(period);
    changeWish(std::move(next), fmt::format("{}: {}, {}", isClosed ? "closed" : "open again", where, when));
}

void Desk::solve(std::uint64_t version, double seconds, bool isCheap) {
    const std::lock_guard lock(mutex_);
    requireReady(version);
    if (!(seconds >= LeastSeconds && seconds <= MostSeconds))
        throw HttpRefusal(BadRequest, fmt::format("seconds: expected {} to {}, found {}", LeastSeconds, MostSeconds, seconds));
    try {
        makeSearchProblem(model_->instanceToSolve(*state_, isCheap));
    } catch (const std::invalid_argument& error) {    // pins and the lectures that are left out were right each by itself
        throw HttpRefusal(Conflict, fmt::format("without the {0}s that are left out, {1}: take a pin away, or place a {0}", model_->noun(),
                                                error.what()));
    }
    seconds_ = seconds;
    isCheap_ = isCheap;
    isSearching_ = true;
    isStopWanted_ = false;
    proposal_.reset();
    told_ = isCheap ? "a search for a cheap timetable is running" : "a search for few moves is running";
    ++version_;
    order(DeskOrder::Kind::Solve);
}

void Desk::stop() {
    const std::lock_guard lock(mutex_);
    if (!isSearching_) throw HttpRefusal(Conflict, "no search is running");
    isStopWanted_ = true;
}

void Desk::take(std::uint64_t version) {
    const std::lock_guard lock(mutex_);
    requireReady(version);
    if (!proposal_) throw HttpRefusal(Conflict, "no result waits to be taken over");
    DeskState next = *state_;
    next.placements = proposal_->placements;
    change(std::move(next), "the result was taken over");
}

void Desk::discard(std::uint64_t version) {
    const std::lock_guard lock(mutex_);
    requireReady(version);
    if (!proposal_) throw HttpRefusal(Conflict, "no result waits to be taken over");
    proposal_.reset();
    told_ = "the result was discarded";
    ++version_;
}

void Desk::undo(std::uint64_t version) {
    const std::lock_guard lock(mutex_);
    requireReady(version);
    if (earlier_.empty()) throw HttpRefusal(Conflict, "there is nothing to undo");
    state_ = std::move(earlier_.back());
    earlier_.pop_back();
    ++version_;
    proposal_.reset();
    figures_.reset();
    told_ = "the last change was undone";
    order(DeskOrder::Kind::Write);
}

void Desk::end() {
    const std::lock_guard lock(mutex_);
    isStopWanted_ = true;
    order(DeskOrder::Kind::End);
}

}    // namespace timetabling
