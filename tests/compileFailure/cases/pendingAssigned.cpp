// EXPECT // ferry: a Pending is the one owner of its operation: hand it on with std::move
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) {
    ferry::Pending<int> first = c.expect<int>(0);
    ferry::Pending<int> second;
    second = first;
}

}    // namespace fail
