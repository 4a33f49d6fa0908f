// EXPECT // ferry: the root comes before the deadline: broadcast(value, root, deadline)
#include <chrono>

#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.broadcast(17, ferry::Deadline::in(std::chrono::seconds(1))); }

}    // namespace fail
