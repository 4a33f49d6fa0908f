// EXPECT [with T = std::vector<fail::Point>; Operator = ferry::Sum]
// EXPECT cannot combine two values (see T): it takes two of them, or two elements of vectors, and returns one; Sum needs a +
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace fail {

struct Point {
    double x = 0, y = 0;
};
std::vector<Point> call(ferry::Connector& c) { return c.scan(std::vector<Point>(), ferry::Sum{}); }

}    // namespace fail
