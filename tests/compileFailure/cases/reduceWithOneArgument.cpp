// EXPECT [with T = int
// EXPECT <lambda(int)>
// EXPECT ferry: the operator (see Operator) cannot combine two values (see T): it takes two of them, or two elements of vectors, and
// returns one; Sum needs a +
#include <ferry/connector/Connector.hpp>

namespace fail {

int call(ferry::Connector& c) {
    return c.reduce(1, [](int n) { return n; });
}

}    // namespace fail
