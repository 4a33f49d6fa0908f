// EXPECT double [2][2]
// EXPECT ferry: no call can return a C array (see T): pass a std::array, or a std::span of its elements
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) {
    const double matrix[2][2] = {{1, 2}, {3, 4}};
    static_cast<void>(c.allGather(matrix));
}

}    // namespace fail
