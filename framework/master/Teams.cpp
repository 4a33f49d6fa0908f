#include <ferry/framework/master/Teams.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include <fmt/format.h>

#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/framework/ending/Stragglers.hpp>
#include <ferry/framework/master/OpenCalls.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>
#include <ferry/framework/parcel/TeamRoster.hpp>

namespace ferry::detail {

bool isAtWork(const Call& call) {
    if (call.place != Call::Place::AtSlave || call.begunOn == 0) return false;
    return !call.team || call.team->state == TeamCalls::State::Working;
}

Teams::~Teams() {
    for (const std::shared_ptr<TeamCalls>& team : open_) team->calls.clear();
}

void Teams::open(const std::shared_ptr<TeamCalls>& team, OpenCalls& calls) {
    std::size_t openCount = 0;
    try {
        for (const std::shared_ptr<Call>& call : team->calls) {
            calls.add(call);
            ++openCount;
        }
        waiting_.push_back(team);
        open_.insert(team);
    } catch (...) {
        if (!waiting_.empty() && waiting_.back() == team) waiting_.pop_back();
        while (openCount > 0) calls.remove(*team->calls[--openCount]);
        throw;
    }
    for (const std::shared_ptr<Call>& call : team->calls) call->team = team;
}

void Teams::gatherNext() {
    for (std::size_t i = 0; i < waiting_.size(); ++i) {    // admits() may add a team
        const std::shared_ptr<TeamCalls> team = waiting_[i];
        if (team->state != TeamCalls::State::Waiting) return;
        const bool isBegun =
            team->calls.front()->place != Call::Place::Held;    // a former call of this function had no memory for the rest
        team->awaitsResults = !isBegun && (team->awaitsResults || !actions_.admits(*team->calls.front()));
        if (team->awaitsResults) continue;
        std::rotate(waiting_.begin(), std::next(waiting_.begin(), static_cast<std::ptrdiff_t>(i)),
                    std::next(waiting_.begin(), static_cast<std::ptrdiff_t>(i) + 1));
        for (const std::shared_ptr<Call>& call : team->calls) {
            if (call->place == Call::Place::Held) insist([&] { actions_.enqueue(*call); });    // a team that lacks a call waits for ever
        }
        team->state = TeamCalls::State::Gathering;
        return;
    }
}

void Teams::resume(TeamCalls& team) {
    team.awaitsResults = false;
    gatherNext();
}

void Teams::noteHeld(Call& call) {
    const std::shared_ptr<TeamCalls> team = call.team;
    if (team->state == TeamCalls::State::Gathering) {
        if (actions_.hasResults(call)) return insist([&] { actions_.enqueue(call); });
        recall(*team);
    }
    gatherAnew(*team);
}

void Teams::noteGivenBack(Call& call) {
    const std::shared_ptr<TeamCalls> team = call.team;
    if (team->state != TeamCalls::State::Recalled) return;
    actions_.takeOut(call);
    gatherAnew(*team);
}

/// A slave answers a notice of a recall as it answers a cancellation. A notice that has crossed with another answer may meet the call when
/// the slave gets it for the next gathering.
bool Teams::isGivenBack(const Call& call, const Parcel& reply, const ObjectFactory& factory) {
    TeamCalls& team = *call.team;
    const bool isGathering = team.state == TeamCalls::State::Gathering || team.state == TeamCalls::State::Recalled;
    if (reply.key != 0 || !isGathering || team.openRecallCount == 0 || !isCancellation(failureIn(reply, factory))) return false;
    --team.openRecallCount;
    return true;
}

/// Lets all calls of a team come home that gathers.
void Teams::recall(TeamCalls& team) {
    team.state = TeamCalls::State::Recalled;
    for (const std::shared_ptr<Call>& call : team.calls) {
        if (call->place == Call::Place::Waiting) actions_.takeOut(*call);
        if (call->place != Call::Place::AtSlave) continue;
        insist([&] { sendNotice(mailbox_, call->slaveRank, TaskNotice::Cancelled, {call->number}); });
        ++team.openRecallCount;
    }
    ifMemory([&team] {
        logLine(spdlog::level::info, "the team of task {} gathers anew: a result that it reads is lost", team.calls.front()->number);
    });
}

/// Lets a recalled team gather again, if all of its calls are home.
void Teams::gatherAnew(TeamCalls& team) {
    if (team.state != TeamCalls::State::Recalled) return;
    const auto isHome = [](const std::shared_ptr<Call>& call) { return call->place == Call::Place::Held; };
    if (!std::all_of(team.calls.begin(), team.calls.end(), isHome)) return;
    team.state = TeamCalls::State::Waiting;
    insist([&] { resume(team); });
}

void Teams::noteBegun(const Call& call) {
    const std::shared_ptr<TeamCalls> team = call.team;
    if (team->state != TeamCalls::State::Gathering) return;
    const auto hasBegun = [](const std::shared_ptr<Call>& each) { return each->place == Call::Place::AtSlave && each->begunOn != 0; };
    if (std::all_of(team->calls.begin(), team->calls.end(), hasBegun)) letWork(*team);
}

/// From here on no slave may miss the roster, since the others wait for it.
void Teams::letWork(TeamCalls& team) {
    team.state = TeamCalls::State::Working;
    waiting_.pop_front();
    insist([&] {
        team.roster = {mailbox_.nest().nextGroup(), {}};
        for (const std::shared_ptr<Call>& call : team.calls) team.roster.ranks.push_back(call->begunOn);
    });
    mailbox_.nest().setNextGroup(team.roster.id + 1);
    for (const std::shared_ptr<Call>& call : team.calls) insist([&] { sendRoster(mailbox_, call->slaveRank, call->number, team.roster); });
    gatherNext();
}

void Teams::noteEnded(const Call& call, const std::exception_ptr& failure) {
    if (stragglers_ != nullptr) stragglers_->remove(call.begunOn);
    const std::shared_ptr<TeamCalls> team = call.team;
    if (team->state != TeamCalls::State::Working) giveUp(team, failure);
    const auto isOver = [&call](const std::shared_ptr<Call>& each) { return each->isDone || each.get() == &call; };
    if (!std::all_of(team->calls.begin(), team->calls.end(), isOver)) return;
    team->calls.clear();
    open_.erase(team);
}

/// The loss of a sub-master breaks the team, too. Then no call of MPI waits for the lost rank, and each slave leaves by itself.
std::exception_ptr Teams::noteLost(const Call& call, const Loss& loss) {
    if (!call.team->loss) call.team->loss = std::make_exception_ptr(LostRank(loss));
    const std::exception_ptr reason = call.team->loss;
    const std::vector<int>& members = call.team->roster.ranks;
    const bool isOfTeam = std::find(members.begin(), members.end(), loss.rank) != members.end();
    const std::vector<std::shared_ptr<Call>> calls = insist([&] { return call.team->calls; });
    for (const std::shared_ptr<Call>& each : calls) {
        if (each->isDone || each.get() == &call) continue;
        actions_.raise(*each, reason);
        if (isOfTeam && stragglers_ != nullptr) stragglers_->add(each->begunOn, loss.rank);
    }
    return reason;
}

void Teams::serve(const std::vector<int>& slaves, const std::vector<std::shared_ptr<Call>>& calls) {
    for (const std::shared_ptr<Call>& call : calls) {
        if (!call->team) continue;
        const bool works = call->team->state == TeamCalls::State::Working;
        for (const int slave : slaves) {
            insist([&] {
                if (works) sendRoster(mailbox_, slave, call->number, call->team->roster);
                if (!works) sendNotice(mailbox_, slave, TaskNotice::Cancelled, {call->number});
            });
            ++call->team->openRecallCount;
        }
    }
}

bool Teams::giveUp(const Call& call, const std::exception_ptr& reason) {
    const std::shared_ptr<TeamCalls> team = call.team;
    giveUp(team, reason);
    return team->state == TeamCalls::State::Ended;
}

void Teams::giveUp(const std::shared_ptr<TeamCalls>& team, const std::exception_ptr& reason) {
    if (team->state == TeamCalls::State::Working || team->state == TeamCalls::State::Ended) return;
    const std::vector<std::shared_ptr<Call>> calls = insist([&] { return team->calls; });
    team->state = TeamCalls::State::Ended;
    team->reason = reason;
    std::erase(waiting_, team);
    for (const std::shared_ptr<Call>& call : calls) {
        if (!call->isDone) actions_.stop(*call, reason);
    }
    gatherNext();
}

void Teams::slavesLeft(int count) {
    const std::deque<std::shared_ptr<TeamCalls>> waiting = insist([&] { return waiting_; });
    for (const std::shared_ptr<TeamCalls>& team : waiting) {
        if (static_cast<int>(team->calls.size()) <= count) continue;
        giveUp(team, insist([&] {
                   return std::make_exception_ptr(
                       LostRank(fmt::format("a team of {} slaves cannot gather: {} slaves are left", team->calls.size(), count)));
               }));
    }
}

}    // namespace ferry::detail
