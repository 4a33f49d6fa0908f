// EXPECT [with T = std::vector<int>
// EXPECT ferry: sparseAllToAll takes a range of pairs of a rank and a value, such as a std::map of values by rank (see T)
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.sparseAllToAll(std::vector<int>{1, 2}); }

}    // namespace fail
