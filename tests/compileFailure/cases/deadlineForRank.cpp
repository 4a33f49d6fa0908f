// EXPECT // ferry: the rank comes before the deadline: receive<T>(ferry::AnyRank, deadline)
#include <chrono>

#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.receive<int>(ferry::Deadline::in(std::chrono::seconds(1))); }

}    // namespace fail
