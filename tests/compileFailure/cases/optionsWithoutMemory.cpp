// EXPECT Into
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c, const std::vector<int>& mine) {
    const ferry::AllGatherOptions<int> withoutInto{.counts = mine};
    c.allGather(mine, withoutInto);
}

}    // namespace fail
