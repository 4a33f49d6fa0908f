// EXPECT [with T = std::vector<int>
// EXPECT ferry: sparseAllToAll takes a std::map of values by the ranks that get them (see T)
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.sparseAllToAll(std::vector<int>{1, 2}); }

}    // namespace fail
