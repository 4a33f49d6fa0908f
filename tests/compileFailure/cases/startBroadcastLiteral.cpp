// EXPECT ferry: a pointer to text does not own it: pass a std::string
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.startBroadcast("text").get(); }

}    // namespace fail
