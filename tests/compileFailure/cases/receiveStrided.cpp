// EXPECT ferry: a view (see T) owns nothing on the rank that gets it
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.receive<ferry::Strided<double>>(); }

}    // namespace fail
