// EXPECT Into
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace fail {

const std::vector<int> counts;
const ferry::AllGatherOptions<int> options{.counts = counts};

}    // namespace fail
