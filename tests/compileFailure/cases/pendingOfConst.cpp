// EXPECT // ferry: get() takes the value out, so the Pending must not be const
#include <ferry/connector/Connector.hpp>

namespace fail {

int call(ferry::Connector& c) {
    const ferry::Pending<int> number = c.expect<int>(0);
    return number.get();
}

}    // namespace fail
