// EXPECT // ferry: a rank is an int
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.send(0.5, 17); }

}    // namespace fail
