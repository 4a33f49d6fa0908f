#include <ferry/apps/timetabling/serve/Desk.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/curriculum/io/csvTables.hpp>
#include <ferry/apps/timetabling/curriculum/model/PinBoard.hpp>
#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/model/movedLectures.hpp>
#include <ferry/apps/timetabling/curriculum/report/CurriculumPresenter.hpp>
#include <ferry/apps/timetabling/curriculum/report/CurriculumView.hpp>
#include <ferry/apps/timetabling/curriculum/report/TextReport.hpp>
#include <ferry/apps/timetabling/curriculum/search/placesFor.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>
#include <ferry/apps/timetabling/model/counted.hpp>
#include <ferry/apps/timetabling/serve/HttpAnswer.hpp>

namespace timetabling {

using curriculum::Instance;
using curriculum::Pin;
using curriculum::Placement;
using curriculum::PlaceOffer;
using curriculum::Problem;
using curriculum::RoomClosing;
using curriculum::Solution;

namespace {

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

/// Returns the instance with as many lectures of each course as the timetable has.
Instance withLecturesOf(Instance instance, const Solution& timetable) {
    for (curriculum::Course& course : instance.courses) course.lectureCount = 0;
    for (const Placement& placement : timetable.placements) ++instance.courses[static_cast<std::size_t>(placement.course)].lectureCount;
    return instance;
}

Instance withoutPins(Instance instance) {
    instance.published.pins.clear();
    return instance;
}

/// Returns the instance as the costs need it: pins and the published timetable matter to no cost.
Instance forCosts(const Instance& instance, const Solution& timetable) {
    Instance result = withLecturesOf(instance, timetable);
    result.published = {};
    return result;
}

const char* nameOf(PlaceOffer::Kind kind) {
    switch (kind) {
        case PlaceOffer::Kind::Here: return "here";
        case PlaceOffer::Kind::Free: return "free";
        case PlaceOffer::Kind::Exchange: return "exchange";
        case PlaceOffer::Kind::RoomIsClosed: return "room closed";
        case PlaceOffer::Kind::PeriodIsClosed: return "period closed";
        case PlaceOffer::Kind::CourseIsThere: return "course is there";
        case PlaceOffer::Kind::OtherCannotLeave: return "other cannot leave";
    }
    return "";
}

/// Says why a lecture cannot go to a place.
std::string reasonOf(PlaceOffer::Kind kind) {
    switch (kind) {
        case PlaceOffer::Kind::Here: return "the lecture is there already";
        case PlaceOffer::Kind::RoomIsClosed: return "the room is closed then";
        case PlaceOffer::Kind::PeriodIsClosed: return "the period is closed to the course";
        case PlaceOffer::Kind::CourseIsThere: return "another lecture of the course is in this period";
        default: return "the lecture there cannot go to the place of this one";
    }
}

std::string costText(std::int64_t cost) { return cost == 0 ? "no change of the cost" : fmt::format("cost {:+}", cost); }

}    // namespace

/// Everything that is computed from the present state.
struct Desk::Derived {
    Derived(const Instance& whole, const Instance& base, const Solution& timetable)
        : shown(whole),
          score(curriculum::scoreOf(shown, timetable)),
          loose(forCosts(base, timetable)),
          search(loose, curriculum::toSlots(loose, timetable)) {}
    Derived(const Derived&) = delete;
    Derived& operator=(const Derived&) = delete;

    Problem shown;    ///< the instance with the pins and closings of the page
    curriculum::Score score;
    Problem loose;    ///< the instance without pins and without the closings of the page, which leave present lectures where they are
    curriculum::SearchState search;
};

/// The result of a search, with its description.
struct Desk::Proposal {
    Solution timetable;
    Json description;
};

Desk::Desk(const Instance& instance) : base_(instance), problem_(instance) { base_.rest.clear(); }

Desk::~Desk() = default;

void Desk::follow(const Slots& slots) {
    const std::lock_guard lock(mutex_);
    state_ = State{curriculum::toSolution(problem_, slots), base_.published.pins, {}};
    ++version_;
    derived_.reset();
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
    order.timetable = state_->timetable;
    order.seconds = seconds_;
    if (order.kind == DeskOrder::Kind::Write) order.instance = withMetPins();
    if (order.kind != DeskOrder::Kind::Solve) return order;
    order.instance = withLecturesOf(instanceOf(*state_), state_->timetable);
    curriculum::Published& published = order.instance.published;
    published.begin.clear();
    published.keepWeight.reset();
    if (isCheap_) published.keepWeight = 0;
    published.lectures.clear();
    for (const Placement& placement : state_->timetable.placements)
        published.lectures.push_back({placement.course, placement.period, placement.room, placeText(placement.period, placement.room)});
    return order;
}

bool Desk::isStopWanted() const {
    const std::lock_guard lock(mutex_);
    return isStopWanted_;
}

void Desk::propose(const Solution& timetable, const std::string& sentence) {
    const std::lock_guard lock(mutex_);
    proposal_ = std::make_unique<const Proposal>(Proposal{timetable, describe(timetable, sentence)});
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
    return makeView(derived().shown, state_->timetable);
}

Instance Desk::instanceOf(const State& state) const {
    Instance instance = base_;
    instance.published.pins = state.pins;
    instance.roomClosings.insert(instance.roomClosings.end(), state.closings.begin(), state.closings.end());
    return instance;
}

/// Returns the instance of the present state with the pins at which there is a lecture.
Instance Desk::withMetPins() const {
    Instance instance = instanceOf(*state_);
    std::erase_if(instance.published.pins, [this](const Pin& pin) { return !isMet(pin); });
    return instance;
}

Desk::Derived& Desk::derived() const {
    if (!derived_) derived_ = std::make_unique<Derived>(instanceOf(*state_), base_, state_->timetable);
    return *derived_;
}

std::string Desk::placeText(int period, int room) const {
    const std::string time = problem_.periodText(period);
    return room < 0 ? time : fmt::format("{} room {}", time, problem_.room(room).id);
}

bool Desk::isMet(const Pin& pin) const {
    const std::vector<Placement>& placements = state_->timetable.placements;
    return std::any_of(placements.begin(), placements.end(), [&](const Placement& one) {
        return one.course == pin.course && one.period == pin.period && (pin.room < 0 || one.room == pin.room);
    });
}

bool Desk::isPinned(int course, int period, int room) const {
    return std::any_of(state_->pins.begin(), state_->pins.end(),
                       [&](const Pin& pin) { return pin.course == course && pin.period == period && (pin.room < 0 || pin.room == room); });
}

bool Desk::isClosed(int period, int room) const { return !derived().shown.isRoomOpen(room, period); }

int Desk::lectureAt(int course, int period) const {
    if (!state_) throw HttpRefusal(NotFound, "there is no timetable yet");
    requireRange("course", course, 0, problem_.courseCount() - 1);
    requireRange("period", period, 0, problem_.periodCount() - 1);
    const Problem& loose = derived().loose;
    const int first = loose.firstLecture(course);
    for (int lecture = first; lecture < first + loose.course(course).lectureCount; ++lecture) {
        if (loose.periodOfSlot(derived().search.slotOf(lecture)) == period) return lecture;
    }
    throw HttpRefusal(NotFound, fmt::format("course {} has no lecture on {}", problem_.course(course).id, problem_.periodText(period)));
}

Desk::Json Desk::places(int course, int period) const {
    const std::lock_guard lock(mutex_);
    const int lecture = lectureAt(course, period);
    Derived& now = derived();
    const int here = now.search.slotOf(lecture);
    const int hereRoom = problem_.roomOfSlot(here);
    const int closedHere = isClosed(period, hereRoom) ? 1 : 0;    // a lecture that leaves a closed place ends a violation
    std::vector<PlaceOffer> offers = placesFor(now.search, lecture);
    std::size_t leftOut = 0;
    if (offers.size() > MostPlaces) {
        const auto key = [](const PlaceOffer& offer) { return std::tuple(!offer.isPossible(), offer.delta.conflicts, offer.delta.cost); };
        std::stable_sort(offers.begin(), offers.end(), [&](const PlaceOffer& a, const PlaceOffer& b) { return key(a) < key(b); });
        leftOut = offers.size() - MostPlaces;
        offers.resize(MostPlaces);
    }
    Json answer;
    answer["version"] = version_;
    answer["course"] = problem_.course(course).id;
    answer["at"] = placeText(period, hereRoom);
    answer["period"] = period;
    answer["room"] = hereRoom;
    answer["students"] = problem_.course(course).studentCount;
    answer["isPinned"] = isPinned(course, period, hereRoom);
    answer["places"] = Json::array();
    for (const PlaceOffer& offer : offers) {
        const int toPeriod = problem_.periodOfSlot(offer.slot);
        const int room = problem_.roomOfSlot(offer.slot);
        Json place;
        place["period"] = toPeriod;
        place["room"] = room;
        const char* kind = nameOf(offer.kind);
        bool isPossible = offer.isPossible();
        if (offer.kind != PlaceOffer::Kind::Here && isClosed(toPeriod, room)) {
            kind = "room closed";
            isPossible = false;
        }
        if (offer.other >= 0) {
            const int other = now.loose.courseOf(offer.other);
            place["with"] = problem_.course(other).id;
            if (isPossible && isPinned(other, toPeriod, room)) {
                kind = "pinned";
                isPossible = false;
            }
            if (isPossible && closedHere > 0) {
                kind = "other cannot leave";
                isPossible = false;
            }
        }
        place["kind"] = kind;
        if (isPossible) {
            place["violations"] = offer.delta.conflicts - closedHere;
            place["cost"] = offer.delta.cost;
        }
        answer["places"].push_back(std::move(place));
    }
    if (leftOut > 0) answer["leftOut"] = leftOut;
    return answer;
}

Desk::Json Desk::freeRooms() const {
    const std::lock_guard lock(mutex_);
    if (!state_) throw HttpRefusal(NotFound, "there is no timetable yet");
    const Problem& shown = derived().shown;
    std::vector<bool> isUsed(static_cast<std::size_t>(shown.slotCount()), false);
    for (const Placement& one : state_->timetable.placements) isUsed[static_cast<std::size_t>(shown.slotOf(one.period, one.room))] = true;
    Json answer;
    answer["version"] = version_;
    answer["periods"] = Json::array();
    for (int period = 0; period < shown.periodCount(); ++period) {
        Json row;
        row["period"] = period;
        row["text"] = shown.periodText(period);
        row["rooms"] = Json::array();
        for (int room = 0; room < shown.roomCount(); ++room) {
            if (isUsed[static_cast<std::size_t>(shown.slotOf(period, room))] || !shown.isRoomOpen(room, period)) continue;
            row["rooms"].push_back({{"room", shown.room(room).id}, {"seats", shown.room(room).seatCount}});
        }
        answer["periods"].push_back(std::move(row));
    }
    return answer;
}

std::string Desk::document(Document kind) const {
    const std::lock_guard lock(mutex_);
    if (!state_) throw HttpRefusal(NotFound, "there is no timetable yet");
    const Problem& shown = derived().shown;
    const WeekNames& names = base_.names;
    if (kind == Document::Pins) {
        std::string table = csvLine({"course", "day", "period", "room"});
        for (const Pin& pin : state_->pins)
            table += csvLine({problem_.course(pin.course).id, names.dayCell(problem_.dayOf(pin.period)),
                              names.periodCell(problem_.periodOfDay(pin.period)), pin.room < 0 ? "" : problem_.room(pin.room).id});
        return table;
    }
    if (kind == Document::Closed) {
        for (const auto& table : curriculum::writeCsvTables(shown.instance())) {
            if (table.fileName == "closed.csv") return table.text;
        }
        throw std::logic_error("the tables of an instance have no closed.csv");
    }
    const Instance instance = withoutPins(instanceOf(*state_));
    const curriculum::CurriculumPresenter presenter(instance);
    const Slots slots = curriculum::toSlots(Problem(instance), state_->timetable);
    return kind == Document::Csv ? presenter.csvTable(slots) : presenter.jsonDocument(slots);
}

Desk::Json Desk::state() const {
    const std::lock_guard lock(mutex_);
    Json answer;
    answer["version"] = version_;
    answer["isSearching"] = isSearching_;
    answer["told"] = told_;
    answer["hasTimetable"] = state_.has_value();
    if (!state_) return answer;
    const curriculum::Score& score = derived().score;
    answer["summary"] = summarize(score);
    answer["violations"] = score.violations();
    answer["cost"] = score.cost();
    answer["undoable"] = earlier_.size();
    answer["pins"] = pinsJson();
    answer["closings"] = closingsJson();
    answer["proposal"] = proposal_ ? proposal_->description : Json();
    return answer;
}

Desk::Json Desk::pinsJson() const {
    Json pins = Json::array();
    for (const Pin& pin : state_->pins)
        pins.push_back({{"course", pin.course},
                        {"period", pin.period},
                        {"room", pin.room},
                        {"text", fmt::format("{} on {}", problem_.course(pin.course).id, placeText(pin.period, pin.room))},
                        {"isMet", isMet(pin)}});
    return pins;
}

/// Tells rooms that are closed all week, and periods in which all rooms are closed, as one closing each.
Desk::Json Desk::closingsJson() const {
    const auto rooms = static_cast<std::size_t>(problem_.roomCount());
    const auto periods = static_cast<std::size_t>(problem_.periodCount());
    std::vector<std::size_t> ofRoom(rooms, 0);
    std::vector<std::size_t> ofPeriod(periods, 0);
    const auto periodOf = [&](const RoomClosing& one) { return one.day * problem_.periodsPerDay() + one.periodOfDay; };
    for (const RoomClosing& one : state_->closings) {
        ++ofRoom[static_cast<std::size_t>(one.room)];
        ++ofPeriod[static_cast<std::size_t>(periodOf(one))];
    }
    Json closings = Json::array();
    const auto add = [&](int room, int period, const std::string& text) {
        closings.push_back({{"room", room}, {"period", period}, {"text", text}});
    };
    for (std::size_t room = 0; room < rooms; ++room) {
        const int number = static_cast<int>(room);
        if (ofRoom[room] == periods) add(number, -1, fmt::format("room {}, all week", problem_.room(number).id));
    }
    for (std::size_t period = 0; period < periods; ++period) {
        const int number = static_cast<int>(period);
        if (ofPeriod[period] == rooms) add(-1, number, fmt::format("all rooms on {}", problem_.periodText(number)));
    }
    for (const RoomClosing& one : state_->closings) {
        const int period = periodOf(one);
        if (ofRoom[static_cast<std::size_t>(one.room)] == periods || ofPeriod[static_cast<std::size_t>(period)] == rooms) continue;
        add(one.room, period, fmt::format("room {} on {}", problem_.room(one.room).id, problem_.periodText(period)));
    }
    return closings;
}

/// Describes a result beside the present timetable.
Desk::Json Desk::describe(const Solution& result, const std::string& sentence) const {
    Instance instance = withoutPins(instanceOf(*state_));
    instance.published.lectures.clear();
    for (const Placement& one : state_->timetable.placements)
        instance.published.lectures.push_back({one.course, one.period, one.room, placeText(one.period, one.room)});
    const Problem problem(std::move(instance));
    const curriculum::Score score = curriculum::scoreOf(problem, result);
    const std::vector<Moved> moved = movedLectures(problem, result);
    Json answer;
    answer["summary"] = summarize(score);
    answer["violations"] = score.violations();
    answer["cost"] = score.cost();
    answer["sentence"] = sentence;
    answer["movedCount"] = moved.size();
    answer["moved"] = Json::array();
    for (std::size_t i = 0; i < std::min(moved.size(), MostListedMoves); ++i)
        answer["moved"].push_back(timetabling::describe(moved[i], "lecture", problem_.course(moved[i].item).id));
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
void Desk::change(State next, std::string told) {
    earlier_.push_back(std::move(*state_));
    if (earlier_.size() > MostUndone) earlier_.erase(earlier_.begin());
    state_ = std::move(next);
    ++version_;
    proposal_.reset();
    derived_.reset();
    told_ = std::move(told);
    order(DeskOrder::Kind::Write);
}

/// Changes pins or closings, which may not contradict each other.
void Desk::changeWish(State next, std::string told) {
    Instance instance = withoutPins(instanceOf(next));
    const Problem problem(std::move(instance));
    curriculum::PinBoard board(problem);
    for (const Pin& pin : next.pins) {
        if (const auto contradiction = board.add(pin)) throw HttpRefusal(Conflict, *contradiction);
    }
    change(std::move(next), std::move(told));
}

void Desk::order(DeskOrder::Kind kind) {
    if (orders_.empty() || orders_.back() != kind) orders_.push_back(kind);
}

void Desk::move(std::uint64_t version, int course, int period, int toPeriod, int toRoom) {
    const std::lock_guard lock(mutex_);
    requireReady(version);
    const int lecture = lectureAt(course, period);
    requireRange("toPeriod", toPeriod, 0, problem_.periodCount() - 1);
    requireRange("toRoom", toRoom, 0, problem_.roomCount() - 1);
    Derived& now = derived();
    const int room = problem_.roomOfSlot(now.search.slotOf(lecture));
    if (isPinned(course, period, room)) throw HttpRefusal(Conflict, "the lecture is pinned: take the pin away first");
    const PlaceOffer offer = placeFor(now.search, lecture, problem_.slotOf(toPeriod, toRoom));
    if (!offer.isPossible()) throw HttpRefusal(Conflict, reasonOf(offer.kind));
    if (isClosed(toPeriod, toRoom)) throw HttpRefusal(Conflict, reasonOf(PlaceOffer::Kind::RoomIsClosed));
    State next = *state_;
    std::string told = fmt::format("{}: {} -> {}", problem_.course(course).id, placeText(period, room), placeText(toPeriod, toRoom));
    const auto placementOf = [&](int ofCourse, int ofPeriod) -> Placement& {
        return *std::find_if(next.timetable.placements.begin(), next.timetable.placements.end(),
                             [&](const Placement& one) { return one.course == ofCourse && one.period == ofPeriod; });
    };
    Placement& mine = placementOf(course, period);
    if (offer.kind == PlaceOffer::Kind::Exchange) {
        const int other = now.loose.courseOf(offer.other);
        if (isPinned(other, toPeriod, toRoom)) throw HttpRefusal(Conflict, "the lecture there is pinned: take its pin away first");
        if (isClosed(period, room)) throw HttpRefusal(Conflict, reasonOf(PlaceOffer::Kind::OtherCannotLeave));
        Placement& theirs = placementOf(other, toPeriod);
        theirs = {other, period, room};
        told += fmt::format(", exchanged with {}", problem_.course(other).id);
    }
    mine = {course, toPeriod, toRoom};
    std::sort(next.timetable.placements.begin(), next.timetable.placements.end(), [](const Placement& a, const Placement& b) {
        return std::tie(a.course, a.period, a.room) < std::tie(b.course, b.period, b.room);
    });
    const auto cost = offer.delta.cost;
    change(std::move(next), told + "; " + costText(cost));
}

void Desk::pin(std::uint64_t version, int course, int period, int toPeriod, int toRoom) {
    const std::lock_guard lock(mutex_);
    requireReady(version);
    lectureAt(course, period);
    requireRange("toPeriod", toPeriod, 0, problem_.periodCount() - 1);
    requireRange("toRoom", toRoom, -1, problem_.roomCount() - 1);
    State next = *state_;
    // A lecture has one pin: that of the place where it was pinned before goes.
    std::erase_if(next.pins, [&](const Pin& pin) { return pin.course == course && pin.period == period; });
    next.pins.push_back({course, toPeriod, toRoom});
    changeWish(std::move(next), fmt::format("pinned: {} on {}", problem_.course(course).id, placeText(toPeriod, toRoom)));
}

void Desk::unpin(std::uint64_t version, int course, int period) {
    const std::lock_guard lock(mutex_);
    requireReady(version);
    requireRange("course", course, 0, problem_.courseCount() - 1);
    requireRange("period", period, 0, problem_.periodCount() - 1);
    State next = *state_;
    const auto count = std::erase_if(next.pins, [&](const Pin& pin) { return pin.course == course && pin.period == period; });
    if (count == 0)
        throw HttpRefusal(NotFound, fmt::format("course {} has no pin on {}", problem_.course(course).id, problem_.periodText(period)));
    changeWish(std::move(next), fmt::format("no longer pinned: {} on {}", problem_.course(course).id, problem_.periodText(period)));
}

void Desk::setClosed(std::uint64_t version, int room, int period, bool isClosed) {
    const std::lock_guard lock(mutex_);
    requireReady(version);
    requireRange("room", room, -1, problem_.roomCount() - 1);
    requireRange("period", period, -1, problem_.periodCount() - 1);
    if (room < 0 && period < 0) throw HttpRefusal(BadRequest, "expected a room or a period, found neither");
    State next = *state_;
    const int day = period < 0 ? -1 : problem_.dayOf(period);
    const int periodOfDay = period < 0 ? -1 : problem_.periodOfDay(period);
    const auto count = std::erase_if(next.closings, [&](const RoomClosing& one) {
        return (room < 0 || one.room == room) && (period < 0 || (one.day == day && one.periodOfDay == periodOfDay));
    });
    if (!isClosed && count == 0) throw HttpRefusal(NotFound, "nothing was closed there in this page");
    for (int at = 0; isClosed && at < problem_.slotCount(); ++at) {
        const int ofPeriod = problem_.periodOfSlot(at);
        const int ofRoom = problem_.roomOfSlot(at);
        if ((room >= 0 && ofRoom != room) || (period >= 0 && ofPeriod != period)) continue;
        next.closings.push_back({ofRoom, problem_.dayOf(ofPeriod), problem_.periodOfDay(ofPeriod)});
    }
    const std::string where = room < 0 ? "all rooms" : "room " + problem_.room(room).id;
    const std::string when = period < 0 ? "all week" : problem_.periodText(period);
    changeWish(std::move(next), fmt::format("{}: {}, {}", isClosed ? "closed" : "open again", where, when));
}

void Desk::solve(std::uint64_t version, double seconds, bool isCheap) {
    const std::lock_guard lock(mutex_);
    requireReady(version);
    if (!(seconds >= LeastSeconds && seconds <= MostSeconds))
        throw HttpRefusal(BadRequest, fmt::format("seconds: expected {} to {}, found {}", LeastSeconds, MostSeconds, seconds));
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
    State next = *state_;
    next.timetable = proposal_->timetable;
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
    derived_.reset();
    told_ = "the last change was undone";
    order(DeskOrder::Kind::Write);
}

void Desk::end() {
    const std::lock_guard lock(mutex_);
    isStopWanted_ = true;
    order(DeskOrder::Kind::End);
}

}    // namespace timetabling
