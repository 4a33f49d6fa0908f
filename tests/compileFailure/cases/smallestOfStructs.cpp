// EXPECT [with T = fail::Point; Operator = ferry::Min]
// EXPECT cannot combine two values (see T): it takes two of them, or two elements of vectors, and returns one; Sum needs a +
#include <ferry/connector/Connector.hpp>

namespace fail {

struct Point {
    double x = 0, y = 0;
};
Point call(ferry::Connector& c) { return c.reduce(Point(), ferry::Min{}); }

}    // namespace fail
