// EXPECT ferry: a collective with options takes no bools (see Elements), since a std::vector<bool> holds bits: let the elements be of type char
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace fail {

std::vector<bool> call(ferry::Connector& c, const std::vector<bool>& mine, std::vector<int>& counts) {
    return c.gather(mine, {.root = 1, .countsOut = &counts});
}

}    // namespace fail
