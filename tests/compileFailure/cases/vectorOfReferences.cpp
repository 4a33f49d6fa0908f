// EXPECT ferry: a reference (see T) leads to nothing on another rank: pass the value itself
#include <functional>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c, std::vector<std::reference_wrapper<int>>& all) { c.allToAll(all); }

}    // namespace fail
