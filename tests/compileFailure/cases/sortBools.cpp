// EXPECT ferry: sort takes no std::vector<bool>, whose elements are no bools: sort numbers, or count the bools
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { static_cast<void>(c.sort(std::vector<bool>{true, false})); }

}    // namespace fail
