#pragma once

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/meeting/Channel.hpp>

namespace ferry::pmpi {

/// Whether all ranks of the communicator are ranks of the channel. Fills Communicator::regionRanks.
bool isWithin(Communicator& communicator, const Channel& channel);

}    // namespace ferry::pmpi
