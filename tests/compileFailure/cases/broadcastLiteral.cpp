// EXPECT pass a std::string
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.broadcast("text"); }

}    // namespace fail
