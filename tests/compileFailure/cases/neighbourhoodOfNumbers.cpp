// EXPECT // ferry: list the ranks: neighbourhood({source}, {destination})
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.neighbourhood(0, 1); }

}    // namespace fail
