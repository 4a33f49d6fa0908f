// EXPECT [with T = ferry::Pending<int>]
// EXPECT ferry: a Pending belongs to its rank: pass the value that its get() returns
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.send(1, c.expect<int>(0)); }

}    // namespace fail
