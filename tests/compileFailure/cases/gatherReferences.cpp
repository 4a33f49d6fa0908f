// EXPECT ferry: a reference (see T) leads to nothing on another rank: pass the value itself
#include <functional>

#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c, int& n) { c.gather(std::ref(n)); }

}    // namespace fail
