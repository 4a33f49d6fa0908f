#include <ferry/guard/meeting/rollCallText.hpp>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ferry::pmpi {

namespace {

constexpr std::size_t mostRangesNamed = 8;

constexpr std::size_t mostGroups = 10;
constexpr std::size_t mostRemarks = 8;

struct Group {
    std::vector<const RollNote*> notes;    // by rank

    const RollNote& first() const { return *notes.front(); }
    std::vector<int> ranks() const {
        std::vector<int> ranks;
        for (const RollNote* note : notes) ranks.push_back(note->rank);
        return ranks;
    }
    bool isSame(std::string (*text)(const RollNote&)) const {
        return std::all_of(notes.begin(), notes.end(), [&](const RollNote* note) { return text(*note) == text(first()); });
    }
};

std::string stateInWords(const RollNote& note) {
    switch (note.state) {
        case RollNote::Computes: return "in no call of MPI";
        case RollNote::InCall: return "in " + note.name.get();
        case RollNote::AtEnd: return "at the end of the program's MPI";
        case RollNote::Stopped: return "stopped by a signal";
        case RollNote::Gone: return "ended: the process is gone";
        default: return "no answer";
    }
}

std::string callOf(const RollNote& note) { return note.call.get(); }

std::string sinceInWords(const Group& group, std::time_t now) {
    std::int64_t least = group.first().seconds;
    std::int64_t most = least;
    for (const RollNote* note : group.notes) {
        least = std::min(least, note->seconds);
        most = std::max(most, note->seconds);
    }
    if (least < 0) return {};
    const std::time_t begin = now - static_cast<std::time_t>(most);
    std::tm parts{};
    ::localtime_r(&begin, &parts);
    const std::string length = least == most ? fmt::format("{} s", most) : fmt::format("{} to {} s", least, most);
    return fmt::format(" since {:%H:%M:%S} ({})", parts, length);
}

std::string linesOf(const Group& group, std::time_t now) {
    const RollNote& first = group.first();
    const std::string place = first.place.get();
    const bool isSameCall = group.isSame(callOf);
    const std::string call = first.state == RollNote::InCall && isSameCall ? "in " + first.call.get() : stateInWords(first);
    std::string text =
        fmt::format("\n  {}: {}{}{}", ranksWithCount(group.ranks()), call, place.empty() ? "" : ", at " + place, sinceInWords(group, now));
    if (!isSameCall) text += fmt::format("\n      rank {}: {}", first.rank, first.call.get());
    const std::string last = first.lastCalls.get();
    const std::string of = group.notes.size() > 1 ? fmt::format(" of rank {}", first.rank) : "";
    if (!last.empty()) text += fmt::format("\n      last calls{}: {}", of, last);
    const std::string thrown = first.thrown.get();
    if (!thrown.empty()) text += fmt::format("\n      rank {} has thrown {}", first.rank, thrown);
    return text;
}

/// Whether the rank was in the call at the time at which all notes are compared.
bool isIn(const RollNote& note) { return note.state == RollNote::InCall && note.hasMoved == 0; }

/// Whether the rank was not in the collective on MPI_COMM_WORLD at that time, and had not passed it.
bool isMissing(const RollNote& note, std::uint64_t number) {
    const std::uint64_t present = note.state == RollNote::InCall && note.communicator == 0 ? note.number : 0;
    return note.hasMoved == 0 && std::max(note.enteredWorld, present) < number;
}

/// Collectives to which some ranks of the communicator have not come.
void addCollectives(const std::vector<RollNote>& notes, std::vector<std::string>& remarks) {
    std::map<std::pair<std::int32_t, std::uint64_t>, std::vector<const RollNote*>> calls;
    for (const RollNote& note : notes) {
        if (isIn(note) && note.number != 0) calls[{note.communicator, note.number}].push_back(&note);
    }
    for (const auto& [place, present] : calls) {
        const std::string name = fmt::format("{} on {}", present.front()->name.get(), communicatorName(place.first));
        if (place.first != 0) {
            const int size = present.front()->communicatorSize;
            const bool haveMoved = std::any_of(notes.begin(), notes.end(), [](const RollNote& note) { return note.hasMoved != 0; });
            if (!haveMoved && size > static_cast<int>(present.size()))
                remarks.push_back(fmt::format("{}: {} of {} ranks are there", name, present.size(), size));
            continue;
        }
        std::vector<int> missing;
        for (const RollNote& note : notes) {
            if (isMissing(note, place.second)) missing.push_back(note.rank);
        }
        if (!missing.empty()) remarks.push_back(fmt::format("{} waits for {}", name, ranksWithCount(missing)));
    }
}

/// Messages for which ranks wait in a circle.
void addCircles(const std::map<int, const RollNote*>& byRank, std::vector<std::string>& remarks) {
    std::set<int> seen;
    for (const auto& [start, unused] : byRank) {
        std::vector<int> path;
        for (int rank = start; seen.insert(rank).second;) {
            path.push_back(rank);
            const auto found = byRank.find(rank);
            if (found == byRank.end() || !isIn(*found->second) || found->second->peer < 0) break;
            rank = found->second->peer;
            const auto begin = std::find(path.begin(), path.end(), rank);
            if (begin == path.end()) continue;
            std::vector<int> circle(begin, path.end());
            if (circle.size() == 1) {
                remarks.push_back(fmt::format("rank {} waits for itself", rank));
            } else if (circle.size() <= mostRangesNamed) {
                circle.push_back(rank);
                remarks.push_back(fmt::format("ranks wait for each other: {}", fmt::join(circle, " -> ")));
            } else {
                remarks.push_back(fmt::format("{} ranks wait for each other, rank {} among them", circle.size(), rank));
            }
            break;
        }
    }
}

/// Messages from or to ranks that are in no call of MPI.
void addAbsentPeers(const std::vector<RollNote>& notes, const std::map<int, const RollNote*>& byRank, std::vector<std::string>& remarks) {
    std::map<int, std::vector<int>> waiting;    // by the rank that must act
    for (const RollNote& note : notes) {
        if (!isIn(note) || note.peer < 0) continue;
        const auto peer = byRank.find(note.peer);
        if (peer != byRank.end() && peer->second->state != RollNote::InCall && peer->second->hasMoved == 0)
            waiting[note.peer].push_back(note.rank);
    }
    for (const auto& [peer, ranks] : waiting)
        remarks.push_back(fmt::format("{} wait{} for rank {}: {}", ranksWithCount(ranks), ranks.size() == 1 ? "s" : "", peer,
                                      stateInWords(*byRank.at(peer))));
}

}    // namespace

std::string rollCallText(std::vector<RollNote> notes) {
    std::sort(notes.begin(), notes.end(), [](const RollNote& left, const RollNote& right) { return left.rank < right.rank; });
    using Key = std::tuple<std::int32_t, std::string, std::string, std::int32_t, std::uint64_t>;
    std::map<Key, Group> found;
    std::map<int, const RollNote*> byRank;
    for (const RollNote& note : notes) {
        found[{note.state, note.place.get(), note.name.get(), note.communicator, note.number}].notes.push_back(&note);
        byRank[note.rank] = &note;
    }
    std::vector<Group> groups;
    for (auto& [key, group] : found) groups.push_back(std::move(group));
    std::sort(groups.begin(), groups.end(), [](const Group& left, const Group& right) {
        const auto place = [](const Group& group) {
            return std::tuple(group.notes.size(), group.first().state == RollNote::InCall, group.first().rank);
        };
        return place(left) < place(right);
    });
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::string text = fmt::format("roll call of {} rank{}", notes.size(), notes.size() == 1 ? "" : "s");
    // The largest group is always told: most ranks stand there.
    const std::size_t told = std::min(groups.size(), mostGroups - 1);
    std::size_t otherRanks = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (i < told || i + 1 == groups.size())
            text += linesOf(groups[i], now);
        else
            otherRanks += groups[i].notes.size();
    }
    if (otherRanks > 0) text += fmt::format("\n  {} ranks in {} more groups", otherRanks, groups.size() - mostGroups);
    std::vector<std::string> remarks;
    addCollectives(notes, remarks);
    addCircles(byRank, remarks);
    addAbsentPeers(notes, byRank, remarks);
    for (std::size_t i = 0; i < std::min(remarks.size(), mostRemarks); ++i) text += "\n  " + remarks[i];
    if (remarks.size() > mostRemarks) text += fmt::format("\n  {} more remarks of this kind", remarks.size() - mostRemarks);
    return text;
}

}    // namespace ferry::pmpi
