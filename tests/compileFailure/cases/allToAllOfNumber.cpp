// EXPECT ferry: allToAll takes a std::vector with one element for each rank (see T)
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.allToAll(c.rank()); }

}    // namespace fail
