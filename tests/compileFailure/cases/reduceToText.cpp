// EXPECT ferry: the operator (see Operator) returns something else than the values (see T) that it combines
#include <string>

#include <ferry/connector/Connector.hpp>

namespace fail {

int call(ferry::Connector& c) {
    return c.allReduce(1, [](int left, int right) { return std::to_string(left + right); });
}

}    // namespace fail
