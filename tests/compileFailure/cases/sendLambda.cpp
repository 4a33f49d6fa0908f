// EXPECT <lambda()>
// EXPECT ferry: this type (see T in the lines near this one) cannot be written
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) {
    c.send(1, [] { return 1; });
}

}    // namespace fail
