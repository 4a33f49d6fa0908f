// EXPECT fail::Point3
// EXPECT the class inherits FERRY_FIELDS, which leaves out its own fields: give it FERRY_FIELDS_AFTER(Base, ...)
#include <ferry/serialization/Fields.hpp>

namespace fail {

struct Point {
    FERRY_FIELDS(x, y)
    int x = 0;
    int y = 0;
};

struct Point3 : Point {
    int z = 0;
};

void write(ferry::IntWriter& out, const Point3& point) { out << point; }

}    // namespace fail
