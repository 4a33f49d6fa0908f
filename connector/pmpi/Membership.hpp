#pragma once

#include <ferry/connector/pmpi/Channel.hpp>
#include <ferry/connector/pmpi/Communicators.hpp>

namespace ferry::pmpi {

/// Whether all ranks of the communicator are ranks of the channel. Fills Communicator::regionRanks.
bool isWithin(Communicator& communicator, const Channel& channel);

}    // namespace ferry::pmpi
