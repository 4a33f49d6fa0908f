// EXPECT ferry: a view (see T) owns nothing on the rank that gets it: pass a std::string or a std::vector
#include <string_view>

#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.receive<std::string_view>(0); }

}    // namespace fail
