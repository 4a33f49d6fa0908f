#include <ferry/apps/timetabling/parallel/Rest.hpp>

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/parallel/Messages.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling {

namespace {

constexpr double placingShare = 0.3;    ///< share of the time for few lectures that are left out
constexpr double boundShare = 0.15;     ///< share of the time for the proof
constexpr std::int64_t movesOfRepeatablePlacing = 10'000'000;
constexpr std::int64_t decisionsOfRepeatableBound = 100'000;

int leftOutIn(const Slots& slots) {
    return static_cast<int>(std::count_if(slots.begin(), slots.end(), [](int slot) { return slot < 0; }));
}

}    // namespace

AnyInstance Rest::find(ferry::Master& master, AnyInstance instance, const Slots& known) {
    if (auto* enrolled = std::get_if<enrolment::Instance>(&instance)) {
        enrolled->leavesOut = true;    // searches of this kind leave events out themselves
        return instance;
    }
    hasBound_ = true;
    const bool isTimed = options_.iterations == 0;
    master.share(instance);
    std::vector<ferry::Future<RestFound>> answers;
    for (int slave = 0; slave < std::max(1, master.slaveCount()); ++slave) {
        RestTask task;
        task.seed = Random::seedOf(options_.seed, 2'000'000 + static_cast<std::uint64_t>(slave));
        task.budget = isTimed ? Budget::ofSeconds(placingShare * options_.seconds) : Budget::ofMoves(movesOfRepeatablePlacing);
        answers.push_back(master.submit(task));
    }
    Slots best = known;
    const auto take = [&](const RestFound& found) {
        bound_ = std::max(bound_, found.bound);
        if (found.slots.empty() || (!best.empty() && leftOutIn(found.slots) >= leftOutIn(best))) return;
        best = found.slots;
    };
    for (ferry::Future<RestFound>& answer : answers) take(answer.get());
    if (best.empty() || leftOutIn(best) == static_cast<int>(best.size()))
        FERRY_THROW(NoFeasibleTimetable(std::string("no lecture at all finds a place")));
    if (leftOutIn(best) > bound_) {
        RestTask task;
        task.slots = best;
        task.budget = isTimed ? Budget::ofSeconds(boundShare * options_.seconds) : Budget::ofMoves(decisionsOfRepeatableBound);
        take(master.submit(task).get());
    }
    std::get<curriculum::Instance>(instance).rest = best;
    makeSearchProblem(instance)->check(best);
    return instance;
}

std::string Rest::sentence(const Slots& slots) const {
    const int count = leftOutIn(slots);
    if (count == 0) return {};
    if (!hasBound_) return fmt::format("fewest left out that were found: {}; there is no proof for post-enrolment instances\n", count);
    if (count <= bound_) return fmt::format("fewest left out: {}; fewer are impossible\n", count);
    const std::string open =
        bound_ + 1 == count ? fmt::format("whether {} is enough", bound_) : fmt::format("whether {} to {} are enough", bound_, count - 1);
    return fmt::format("fewest left out that were found: {}; fewer than {} are impossible; {} is not known\n", count, bound_, open);
}

std::string Rest::jsonMembers(const Slots& slots) const {
    if (!hasBound_) return {};
    const bool isProven = leftOutIn(slots) <= bound_;
    return fmt::format("  \"leastLeftOut\": {},\n  \"isLeftOutProven\": {},\n", bound_, isProven);
}

}    // namespace timetabling
