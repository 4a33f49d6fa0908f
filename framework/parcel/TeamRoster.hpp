#pragma once

#include <cstdint>
#include <vector>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/framework/parcel/TaskNotice.hpp>
#include <ferry/serialization/ints/ClassId.hpp>

namespace ferry::detail {

/// The key of a parcel that holds a task for a team: the class ID of the task, and then the task.
constexpr std::int32_t teamTaskKey = classIdOf("ferry::Team");

/// The slaves of one team, in the order in which the team counts them. The master sends it to each of them when all have begun the task.
struct TeamRoster {
    std::int32_t id = 0;         ///< the number of the team's group
    std::vector<int> ranks{};    ///< in the job
};

/// Sends the roster to the slave that has this task, or to its sub-master, and never waits.
void sendRoster(Mailbox& mailbox, int rank, std::int32_t task, const TeamRoster& roster);

/// The roster in a TaskNotice::Roster letter. Errors: SerializationError for a roster without this rank, with a rank twice, or with a rank
/// that is no slave of a job of jobSize ranks.
TeamRoster rosterIn(const Letter& letter, int ownRank, int jobSize);

}    // namespace ferry::detail
