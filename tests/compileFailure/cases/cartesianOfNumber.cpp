// EXPECT // ferry: list the extents: cartesian({rows, columns})
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.cartesian(c.size()); }

}    // namespace fail
