#include <ferry/connector/withSpares.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

/// The ranks of a connector as its outermost connector counts them.
std::vector<int> ranksInJob(Connector& connector) {
    std::vector<int> ranks;
    for (int rank = 0; rank < connector.size(); ++rank) ranks.push_back(connector.rankInJob(rank));
    return ranks;
}

bool contains(const std::vector<int>& ranks, int rank) { return std::find(ranks.begin(), ranks.end(), rank) != ranks.end(); }

/// Gives each place of a rank that is not left to a spare rank, the lowest first. Returns the first rank without a successor, or -1.
/// members and left: ranks in the job.
int fillPlaces(std::vector<int>& members, const std::vector<int>& left, PlacesTaken& taken) {
    std::vector<int> spares;
    for (const int rank : left) {
        if (!contains(members, rank)) spares.push_back(rank);
    }
    ++taken.round;
    taken.places.clear();
    auto spare = spares.begin();
    for (std::size_t place = 0; place < members.size(); ++place) {
        if (contains(left, members[place])) continue;
        if (spare == spares.end()) return members[place];
        members[place] = *spare++;
        taken.places.push_back(static_cast<int>(place));
    }
    return -1;
}

/// The value of the collective in which all ranks meet after the program. Only this file knows the type. So a collective of the outer
/// connector within the program ends with a CollectiveMismatch.
struct EndOfProgram {
    int unused = 0;
};

/// One run of the program, as this rank saw it.
struct Run {
    bool hasEnded = false;        ///< the program has ended on all members
    std::exception_ptr lost{};    ///< the LostRank that has ended the program of this rank
};

/// Runs the program on the members, and waits with the spare ranks for its end.
Run runOnce(Connector& connector, const std::vector<int>& members, const PlacesTaken& taken,
            const std::function<void(Connector&, const PlacesTaken&)>& program) {
    bool isInProgram = false;
    try {
        const bool isMember = contains(members, connector.rankInJob(connector.rank()));
        const std::vector<int> left = ranksInJob(connector);
        std::vector<int> group{connector.rank()};    // each spare rank is a group of its own
        if (isMember) group.clear();
        for (const int member : members) {
            if (isMember) group.push_back(static_cast<int>(std::find(left.begin(), left.end(), member) - left.begin()));
        }
        const std::unique_ptr<Connector> own = connector.group(std::move(group));
        isInProgram = isMember;
        if (isMember) program(*own, taken);
        isInProgram = false;
        static_cast<void>(connector.allReduce(EndOfProgram{}, [](EndOfProgram end, EndOfProgram) { return end; }));
        return {true, nullptr};
    } catch (const LostRank&) {
        return {false, isInProgram ? std::current_exception() : nullptr};
    } catch (const RankHasLeft&) {
        if (isInProgram) throw;
        return {};    // a rank has returned, since the program has ended
    }
}

/// Whether a rank of the connector has returned from its program. Ranks return from withSpares() when the program has ended.
bool hasReturned(Connector& connector, const std::vector<int>& left) {
    const detail::Departures& departures = detail::mailboxOf(connector).departures();
    for (int rank = 0; rank < connector.size(); ++rank) {
        if (!contains(left, connector.rankInJob(rank)) && departures.hasLeft(rank) && !departures.lossOf(rank)) return true;
    }
    return false;
}

/// The agreement of the ranks that are left.
enum class Verdict {
    Ended,
    GoesOn,
    Unknown,    ///< a further rank was lost meanwhile
};
Verdict agree(Connector& connector, bool hasEnded) {
    try {
        return connector.allReduce(hasEnded, Or{}) ? Verdict::Ended : Verdict::GoesOn;
    } catch (const LostRank&) {
        return Verdict::Unknown;
    } catch (const RankHasLeft&) {
        return Verdict::Ended;
    }
}

}    // namespace

void withSpares(Connector& connector, int spareCount, const std::function<void(Connector& members, const PlacesTaken& taken)>& program) {
    if (spareCount < 0 || spareCount >= connector.size())
        throw UsageError(fmt::format("{} of {} ranks cannot be spare: at least one is a member", spareCount, connector.size()));
    std::vector<int> members = ranksInJob(connector);
    members.resize(members.size() - static_cast<std::size_t>(spareCount));
    PlacesTaken taken;
    int withoutSuccessor = -1;
    std::unique_ptr<Connector> rest;
    for (Connector* current = &connector;;) {
        // Without a successor there is no run: all ranks learn first whether the program has ended.
        const Run run = withoutSuccessor < 0 ? runOnce(*current, members, taken, program) : Run();
        std::unique_ptr<Connector> next = current->shrink();    // all that are left agree on who they are
        const std::vector<int> left = ranksInJob(*next);
        if (hasReturned(*current, left)) return;
        const Verdict verdict = agree(*next, run.hasEnded);
        if (verdict == Verdict::Ended) return;
        if (run.lost != nullptr && next->size() == current->size()) std::rethrow_exception(run.lost);    // one of the program's own
        rest = std::move(next);
        current = rest.get();
        withoutSuccessor = fillPlaces(members, left, taken);
        if (withoutSuccessor >= 0 && verdict == Verdict::GoesOn)
            throw LostRank(fmt::format("rank {} is lost, and no spare rank is left to take its place", withoutSuccessor));
    }
}

}    // namespace ferry
