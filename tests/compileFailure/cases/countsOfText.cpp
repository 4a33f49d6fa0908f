// EXPECT no matching function for call to
#include <string>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c, const std::vector<int>& counts) { c.allToAll(std::vector<std::string>(2), {.counts = counts}); }

}    // namespace fail
