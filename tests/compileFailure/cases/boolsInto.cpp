// EXPECT ferry: a collective with options takes no bools (see Elements), since a std::vector<bool> holds bits: let the elements be of type char
#include <span>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c, std::span<const bool> mine, std::vector<bool>& all) {
    c.startAllReduce(mine, ferry::Or{}, {.into = ferry::resized(all)}).get();
}

}    // namespace fail
