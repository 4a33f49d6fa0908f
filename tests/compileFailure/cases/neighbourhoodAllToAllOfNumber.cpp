// EXPECT ferry: allToAll takes a std::vector with one element for each destination (see T)
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(const ferry::Neighbourhood& n) { n.allToAll(5); }

}    // namespace fail
