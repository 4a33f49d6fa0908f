// EXPECT [with T = int
// EXPECT ferry: scatter takes a std::vector with one element for each rank (see T)
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.scatter(5, 0); }

}    // namespace fail
