// EXPECT // ferry: the value may not be there yet: get() waits for it
#include <ferry/connector/Connector.hpp>

namespace fail {

int call(ferry::Connector& c) { return c.startAllReduce(1, ferry::Sum{}); }

}    // namespace fail
