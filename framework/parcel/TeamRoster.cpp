#include <ferry/framework/parcel/TeamRoster.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry::detail {

void sendRoster(Mailbox& mailbox, int rank, std::int32_t task, const TeamRoster& roster) {
    std::vector<std::int32_t> numbers{roster.id};
    numbers.insert(numbers.end(), roster.ranks.begin(), roster.ranks.end());
    sendNotice(mailbox, rank, TaskNotice::Roster, numbers, task);
}

TeamRoster rosterIn(const Letter& letter, int ownRank, int jobSize) {
    const std::vector<std::int32_t> numbers = numbersIn(letter);
    if (numbers.empty()) throw SerializationError("expected the number of a team and its ranks, found nothing");
    TeamRoster roster{numbers.front(), {numbers.begin() + 1, numbers.end()}};
    std::vector<int> sorted = roster.ranks;
    std::sort(sorted.begin(), sorted.end());
    const bool isSound = roster.id >= 0 && !sorted.empty() && sorted.front() > 0 && sorted.back() < jobSize &&
                         std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() &&
                         std::binary_search(sorted.begin(), sorted.end(), ownRank);
    if (!isSound) {
        throw SerializationError(fmt::format("expected a team of different slaves of {} ranks, with rank {} among them, found team {}: {}",
                                             jobSize, ownRank, roster.id, fmt::join(roster.ranks, ", ")));
    }
    return roster;
}

}    // namespace ferry::detail
