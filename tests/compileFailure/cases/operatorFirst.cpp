// EXPECT [with T = ferry::Sum; Operator = int]
// EXPECT cannot combine two values (see T): it takes two of them, or two elements of vectors, and returns one; Sum needs a +
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.allReduce(ferry::Sum{}, 1); }

}    // namespace fail
