// EXPECT ferry: startScatter takes a std::vector with one element for each rank (see T)
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.startScatter(5); }

}    // namespace fail
