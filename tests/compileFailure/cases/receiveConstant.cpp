// EXPECT [with T = const int]
// EXPECT ferry: nothing can be read into a constant (see T): take const off the type
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.receive<const int>(0); }

}    // namespace fail
