// EXPECT <lambda(int)>
// EXPECT ferry: guarded takes a function without arguments: let a lambda capture what it needs
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) {
    c.guarded([](int n) { return n; });
}

}    // namespace fail
