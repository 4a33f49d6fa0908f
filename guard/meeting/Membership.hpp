#pragma once

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/meeting/MeetingPlace.hpp>

namespace ferry::pmpi {

/// Whether all ranks of the communicator are ranks of the meeting place. Fills Communicator::regionRanks.
bool isWithin(Communicator& communicator, const MeetingPlace& meetingPlace);

}    // namespace ferry::pmpi
