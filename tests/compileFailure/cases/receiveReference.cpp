// EXPECT [with T = int&]
// EXPECT ferry: a reference (see T) leads to nothing on another rank: let T be the type of the value
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.receive<int&>(0); }

}    // namespace fail
