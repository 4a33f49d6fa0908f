// EXPECT // ferry: a rank is an int
#include <ferry/connector/Connector.hpp>

namespace fail {

int call(ferry::Connector& c) { return c.broadcast(1, 0.5); }

}    // namespace fail
