#pragma once

#include <cstdint>

#include <ferry/serialization/ints/ClassId.hpp>

namespace ferry::detail {

/// The key of a parcel with a task whose result stays with the slave. The parcel holds the class ID of the task, the number of the result
/// and the task, in this order.
constexpr std::int32_t keepTaskKey = classIdOf("ferry::Keep");

/// The key of a parcel with a task of a team whose result stays with the slave that is rank 0 of the team. The parcel is laid out likewise.
constexpr std::int32_t keepTeamTaskKey = classIdOf("ferry::Team::Keep");

/// The key of the reply to such a task: its result stays with the slave. The body is the number of its ints.
constexpr std::int32_t keptReplyKey = classIdOf("ferry::Ref");

/// The key of a reply without a body: a result that the task reads is with no slave, so the handler has not run.
constexpr std::int32_t absentReplyKey = classIdOf("ferry::Ref::absent");

}    // namespace ferry::detail
