#include <ferry/apps/timetabling/serve/LiveState.hpp>

#include <utility>

#include <nlohmann/json.hpp>

namespace timetabling {

void LiveState::begin(int slaveCount) {
    const std::lock_guard lock(mutex_);
    begin_ = Clock::now();
    end_.reset();
    best_.reset();
    curve_.clear();
    slaves_.clear();
    tasksUnderWay_ = 0;
    for (int rank = 1; rank <= slaveCount; ++rank) slaves_[rank];
}

void LiveState::end() {
    const std::lock_guard lock(mutex_);
    end_ = Clock::now();
    tasksUnderWay_ = 0;
    for (auto& [rank, slave] : slaves_) slave.work.reset();
}

void LiveState::setTasksUnderWay(std::size_t count) {
    const std::lock_guard lock(mutex_);
    tasksUnderWay_ = count;
}

void LiveState::began(int slaveRank, std::int32_t task, bool isBuild) {
    const std::lock_guard lock(mutex_);
    slaves_[slaveRank].work = {task, isBuild, elapsedSeconds()};
}

void LiveState::cameTo(int slaveRank, std::int32_t task, const Individual& individual) {
    const std::lock_guard lock(mutex_);
    std::optional<Work>& work = slaves_[slaveRank].work;
    if (work && work->task == task) work->reached = pointOf(individual);
}

void LiveState::answered(int slaveRank, std::int32_t task, std::int64_t moves, const Individual& individual) {
    const std::lock_guard lock(mutex_);
    SlaveState& slave = slaves_[slaveRank];
    ++slave.timetables;
    slave.moves += moves;
    if (slave.work && slave.work->task == task) slave.work.reset();
    slave.last = pointOf(individual);
}

void LiveState::found(const Individual& best) {
    const std::lock_guard lock(mutex_);
    best_ = pointOf(best);
    curve_.push_back(*best_);
    thinOut();
}

/// Removes every other point of a long curve, but not the first and the last one.
void LiveState::thinOut() {
    constexpr std::size_t mostPoints = 1000;
    if (curve_.size() <= mostPoints) return;
    std::vector<Point> kept;
    for (std::size_t i = 0; i < curve_.size(); ++i) {
        if (i % 2 == 0 || i + 1 == curve_.size()) kept.push_back(curve_[i]);
    }
    curve_ = std::move(kept);
}

std::string LiveState::json() const {
    using Json = nlohmann::ordered_json;
    const std::lock_guard lock(mutex_);
    Json state;
    state["name"] = name_;
    state["seconds"] = elapsedSeconds();
    state["isOver"] = end_.has_value();
    state["tasks"] = tasksUnderWay_;
    state["best"] = nullptr;
    if (best_) state["best"] = {{"conflicts", best_->conflicts}, {"cost", best_->cost}};
    const auto toJson = [](const Point& point) { return Json::array({point.seconds, point.conflicts, point.cost}); };
    state["curve"] = Json::array();
    for (const Point& point : curve_) state["curve"].push_back(toJson(point));
    state["slaves"] = Json::array();
    for (const auto& [rank, slave] : slaves_) {
        Json row;
        row["rank"] = rank;
        row["work"] = nullptr;
        if (slave.work) {
            row["work"] = {{"kind", slave.work->isBuild ? "build" : "improve"}, {"since", slave.work->since}};
            row["work"]["reached"] = slave.work->reached ? toJson(*slave.work->reached) : Json();
        }
        row["timetables"] = slave.timetables;
        row["moves"] = slave.moves;
        row["last"] = slave.last ? toJson(*slave.last) : Json();
        state["slaves"].push_back(std::move(row));
    }
    // Names may hold bytes that are not UTF-8. The report replaces such bytes and does not refuse the name.
    return state.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}    // namespace timetabling
