// EXPECT ferry: elements that are constant (see T) cannot be read into
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c, const double* column) { c.receiveInto(0, ferry::strided(column, 3, 4)); }

}    // namespace fail
