// EXPECT bool (*)(int, int)
// EXPECT a map or set (see T) has an order, hash or equality with a state, which does not travel: receive into a container that has one
#include <map>

#include <ferry/connector/Connector.hpp>

namespace fail {

using Prices = std::map<int, int, bool (*)(int, int)>;

void into(ferry::Connector& c, Prices& prices) { c.receiveInto(1, prices); }    // has one
Prices call(ferry::Connector& c) { return c.receive<Prices>(1); }

}    // namespace fail
