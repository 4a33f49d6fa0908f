#include <ferry/apps/timetabling/serve/LiveState.hpp>

#include <utility>

#include <nlohmann/json.hpp>

namespace timetabling {

void LiveState::begin(int slaveCount) {
    const std::lock_guard lock(mutex_);
    begin_ = Clock::now();
    for (int rank = 1; rank <= slaveCount; ++rank) slaves_[rank];
}

void LiveState::setTasksUnderWay(std::size_t count) {
    const std::lock_guard lock(mutex_);
    tasksUnderWay_ = count;
}

void LiveState::answered(int slaveRank, std::int64_t moves, const Individual& found, const Individual& best) {
    const std::lock_guard lock(mutex_);
    const double now = elapsedSeconds();
    SlaveWork& work = slaves_[slaveRank];
    ++work.timetables;
    work.moves += moves;
    work.last = {now, found.conflicts, found.cost};
    if (best_ && !best.isBetterThan(*best_)) return;
    best_ = best;
    ++bestNumber_;
    curve_.push_back({now, best.conflicts, best.cost});
    thinOut();
}

/// Of a long curve every other point goes, but not the first and the last one.
void LiveState::thinOut() {
    constexpr std::size_t mostPoints = 1000;
    if (curve_.size() <= mostPoints) return;
    std::vector<Point> kept;
    for (std::size_t i = 0; i < curve_.size(); ++i) {
        if (i % 2 == 0 || i + 1 == curve_.size()) kept.push_back(curve_[i]);
    }
    curve_ = std::move(kept);
}

std::optional<Individual> LiveState::bestAfter(std::uint64_t& number) const {
    const std::lock_guard lock(mutex_);
    if (!best_ || number == bestNumber_) return std::nullopt;
    number = bestNumber_;
    return best_;
}

std::string LiveState::json() const {
    using Json = nlohmann::ordered_json;
    const std::lock_guard lock(mutex_);
    Json state;
    state["name"] = name_;
    state["seconds"] = elapsedSeconds();
    state["tasks"] = tasksUnderWay_;
    state["best"] = nullptr;
    if (best_) state["best"] = {{"conflicts", best_->conflicts}, {"cost", best_->cost}};
    const auto toJson = [](const Point& point) { return Json::array({point.seconds, point.conflicts, point.cost}); };
    state["curve"] = Json::array();
    for (const Point& point : curve_) state["curve"].push_back(toJson(point));
    state["slaves"] = Json::array();
    for (const auto& [rank, work] : slaves_) {
        Json slave;
        slave["rank"] = rank;
        slave["timetables"] = work.timetables;
        slave["moves"] = work.moves;
        slave["last"] = work.last ? toJson(*work.last) : Json();
        state["slaves"].push_back(std::move(slave));
    }
    // Names may hold bytes that are no UTF-8; they are replaced rather than refused.
    return state.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}    // namespace timetabling
