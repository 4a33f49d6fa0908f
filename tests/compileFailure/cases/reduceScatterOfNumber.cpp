// EXPECT ferry: reduceScatter takes a std::vector, of which each rank gets a block (see T)
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.reduceScatter(5, ferry::Sum{}); }

}    // namespace fail
