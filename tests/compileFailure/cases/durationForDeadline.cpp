// EXPECT // ferry: say from when a duration counts: ferry::Deadline::in(duration)
#include <chrono>

#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.barrier(std::chrono::seconds(1)); }

}    // namespace fail
