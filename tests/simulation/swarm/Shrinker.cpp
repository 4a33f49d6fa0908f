#include <ferry/tests/simulation/swarm/Shrinker.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace ferry::test {

namespace shrinking {

template <class T>
using Emit = std::function<bool(const T&)>;    // true: the candidate is taken, and the walk ends

/// Offers the smaller numbers: the least one, half of the way, one less.
bool offerSmaller(int value, int least, const Emit<int>& emit) {
    if (value <= least) return false;
    for (const int candidate : {least, least + (value - least) / 2, value - 1}) {
        if (candidate < value && emit(candidate)) return true;
    }
    return false;
}

/// Offers a value whose member is changed.
template <class T, class Member>
bool offerMember(const T& value, Member T::*member, const Member& better, const Emit<T>& emit) {
    if (value.*member == better) return false;
    T candidate = value;
    candidate.*member = better;
    return emit(candidate);
}

template <class T>
bool offerSmallerMember(const T& value, int T::*member, int least, const Emit<T>& emit) {
    return offerSmaller(value.*member, least, [&](int smaller) { return offerMember(value, member, smaller, emit); });
}

/// Offers the list without a half, a quarter, ... one of its elements, then with one element made smaller.
template <class T>
bool offerList(const std::vector<T>& list, const std::function<bool(const T&, const Emit<T>&)>& offerEach,
               const Emit<std::vector<T>>& emit) {
    for (std::size_t length = list.size(); length > 0; length /= 2) {
        for (std::size_t from = 0; from < list.size(); from += length) {
            std::vector<T> fewer(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(from));
            fewer.insert(fewer.end(), list.begin() + static_cast<std::ptrdiff_t>(std::min(list.size(), from + length)), list.end());
            if (emit(fewer)) return true;
        }
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        const bool isTaken = offerEach(list[i], [&](const T& smaller) {
            std::vector<T> changed = list;
            changed[i] = smaller;
            return emit(changed);
        });
        if (isTaken) return true;
    }
    return false;
}

bool offerThrow(const SwarmThrow& each, const Emit<SwarmThrow>& emit) {
    return offerSmallerMember(each, &SwarmThrow::rank, 0, emit) || offerSmallerMember(each, &SwarmThrow::atPoint, 1, emit) ||
           offerMember(each, &SwarmThrow::form, InjectedForm::Own, emit);
}

bool hasThrowOutside(const std::vector<SwarmStep>& steps) {
    return std::any_of(steps.begin(), steps.end(), [](const SwarmStep& step) {
        if (step.kind == SwarmStep::Kind::Region) return !step.isCaught && hasThrowOutside(step.inside);
        return !step.throws.empty() || hasThrowOutside(step.inside);
    });
}

bool offerSteps(const std::vector<SwarmStep>& steps, const Emit<std::vector<SwarmStep>>& emit);

bool offerStep(const SwarmStep& step, const Emit<SwarmStep>& emit) {
    const bool isInside = offerSteps(step.inside, [&](const std::vector<SwarmStep>& inside) {
        SwarmStep candidate = step;
        candidate.inside = inside;
        return emit(candidate);
    });
    if (isInside) return true;
    const bool isThrow = offerList<SwarmThrow>(step.throws, offerThrow, [&](const std::vector<SwarmThrow>& throws) {
        SwarmStep candidate = step;
        candidate.throws = throws;
        return emit(candidate);
    });
    return isThrow || offerSmallerMember(step, &SwarmStep::root, 0, emit) || offerSmallerMember(step, &SwarmStep::size, 1, emit) ||
           offerMember(step, &SwarmStep::action, RegionAction::Barrier, emit) || offerMember(step, &SwarmStep::isCaught, true, emit);
}

bool offerSteps(const std::vector<SwarmStep>& steps, const Emit<std::vector<SwarmStep>>& emit) {
    for (std::size_t i = 0; i < steps.size(); ++i) {    // the inner steps in the place of a step
        if (steps[i].inside.empty()) continue;
        std::vector<SwarmStep> lifted(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(i));
        lifted.insert(lifted.end(), steps[i].inside.begin(), steps[i].inside.end());
        lifted.insert(lifted.end(), steps.begin() + static_cast<std::ptrdiff_t>(i) + 1, steps.end());
        if (emit(lifted)) return true;
    }
    return offerList<SwarmStep>(steps, offerStep, emit);
}

bool offerTask(const SwarmTask& task, const Emit<SwarmTask>& emit) {
    const bool isInside = offerSteps(task.inside, [&](const std::vector<SwarmStep>& inside) {
        SwarmTask candidate = task;
        candidate.inside = inside;
        return emit(candidate);
    });
    return isInside || offerSmallerMember(task, &SwarmTask::count, 1, emit) || offerSmallerMember(task, &SwarmTask::size, 1, emit) ||
           offerSmallerMember(task, &SwarmTask::ranks, 1, emit) || offerMember(task, &SwarmTask::priority, 0, emit) ||
           offerSmallerMember(task, &SwarmTask::failures, 0, emit) || offerSmallerMember(task, &SwarmTask::retries, 0, emit) ||
           offerSmallerMember(task, &SwarmTask::backOffUs, 0, emit) || offerSmallerMember(task, &SwarmTask::deadlineUs, 0, emit) ||
           offerMember(task, &SwarmTask::isRepeatable, true, emit) || offerMember(task, &SwarmTask::isCancelled, false, emit) ||
           offerMember(task, &SwarmTask::isDropped, false, emit) || offerMember(task, &SwarmTask::isContinued, false, emit);
}

bool offerCall(const Fault& fault, const Emit<Fault>& emit) {
    return offerSmaller(static_cast<int>(fault.atCall), 1,
                        [&](int call) { return offerMember(fault, &Fault::atCall, static_cast<std::uint64_t>(call), emit); });
}

bool offerFault(const Fault& fault, const Emit<Fault>& emit) {
    if (offerMember(fault, &Fault::kind, Fault::Kind::Kill, emit)) return true;
    return offerCall(fault, emit);
}

bool offerHalt(const Fault& halt, const Emit<Fault>& emit) {
    return offerMember(halt, &Fault::kind, Fault::Kind::Pause, emit) || offerCall(halt, emit) ||
           offerSmaller(static_cast<int>(halt.length.count()), 1,
                        [&](int us) { return offerMember(halt, &Fault::length, std::chrono::microseconds(us), emit); });
}

bool offerShortage(const SwarmShortage& shortage, const Emit<SwarmShortage>& emit) {
    if (offerSmallerMember(shortage, &SwarmShortage::count, 1, emit)) return true;
    return offerSmaller(static_cast<int>(shortage.at), 1,
                        [&](int at) { return offerMember(shortage, &SwarmShortage::at, static_cast<std::uint64_t>(at), emit); });
}

/// Faults and roots of ranks that the case has no more.
bool isPossible(const SwarmCase& swarm) {
    const bool areFaultsPossible =
        std::all_of(swarm.faults.begin(), swarm.faults.end(), [&](const Fault& fault) { return fault.rank < swarm.ranks; }) &&
        std::all_of(swarm.halts.begin(), swarm.halts.end(), [&](const Fault& halt) { return halt.rank < swarm.ranks; }) &&
        std::all_of(swarm.shortages.begin(), swarm.shortages.end(), [&](const SwarmShortage& each) { return each.rank < swarm.ranks; });
    const bool areGroupsPossible = swarm.groupSize == 0 || swarm.ranks >= swarm.groupSize + 2;
    return areFaultsPossible && areGroupsPossible && !hasThrowOutside(swarm.program);
}

bool offerCase(const SwarmCase& swarm, const Emit<SwarmCase>& emitPossible) {
    const Emit<SwarmCase> emit = [&](const SwarmCase& candidate) { return isPossible(candidate) && emitPossible(candidate); };
    const auto with = [&](auto member) {
        return [&swarm, &emit, member](const auto& smaller) {
            SwarmCase candidate = swarm;
            candidate.*member = smaller;
            return emit(candidate);
        };
    };
    return offerList<Fault>(swarm.faults, offerFault, with(&SwarmCase::faults)) ||
           offerList<Fault>(swarm.halts, offerHalt, with(&SwarmCase::halts)) || offerMember(swarm, &SwarmCase::clockDrift, 0, emit) ||
           offerList<SwarmShortage>(swarm.shortages, offerShortage, with(&SwarmCase::shortages)) ||
           offerSteps(swarm.program, with(&SwarmCase::program)) || offerList<SwarmTask>(swarm.job, offerTask, with(&SwarmCase::job)) ||
           offerSmallerMember(swarm, &SwarmCase::ranks, 2, emit) || offerMember(swarm, &SwarmCase::groupSize, 0, emit) ||
           offerMember(swarm, &SwarmCase::hasJournal, false, emit) || offerMember(swarm, &SwarmCase::flushMs, 0, emit) ||
           offerMember(swarm, &SwarmCase::callTimeUs, 1, emit) || offerMember(swarm, &SwarmCase::packetDelayUs, 0, emit) ||
           (swarm.faults.empty() && offerMember(swarm, &SwarmCase::tellsDeathsUs, 0, emit));
}

/// Other schedules: a few small seeds, of which one may need fewer events.
bool offerSeed(const SwarmCase& swarm, const Emit<SwarmCase>& emit) {
    constexpr std::uint64_t count = 16;
    for (std::uint64_t seed = 1; seed <= count && seed < swarm.seed; ++seed) {
        if (offerMember(swarm, &SwarmCase::seed, seed, emit)) return true;
    }
    return false;
}

}    // namespace shrinking

SwarmCase shrink(const SwarmCase& swarm, const std::function<bool(const SwarmCase&)>& fails, std::size_t mostTries) {
    SwarmCase small = swarm;
    std::size_t tries = 0;
    const auto take = [&](const SwarmCase& candidate) {
        if (tries >= mostTries) return false;
        ++tries;
        if (!fails(candidate)) return false;
        small = candidate;
        return true;
    };
    for (bool isSmaller = true; isSmaller && tries < mostTries;) {
        const SwarmCase present = small;    // the offers refer to it, while `small` changes
        isSmaller = shrinking::offerCase(present, take) || shrinking::offerSeed(present, take);
    }
    return small;
}

}    // namespace ferry::test
