// EXPECT ferry: the class inherits FERRY_FIELDS, which leaves out its own fields
#include <string>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/text/Json.hpp>

namespace fail {

struct Point {
    int x = 0;
    FERRY_FIELDS(x)
};

struct Point2 : Point {
    int y = 0;
};

std::string call(const Point2& point) { return ferry::toJson(point); }

}    // namespace fail
