// EXPECT ferry: this type (see T in the lines near this one) holds raw pointers, which travel only inside a graph
#include <ferry/connector/Connector.hpp>

namespace fail {

int twice(int n) { return 2 * n; }
void call(ferry::Connector& c) { c.send(1, &twice); }

}    // namespace fail
