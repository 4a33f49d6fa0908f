// EXPECT fail::Shape
// EXPECT may be of a derived class, which only classes derived from ferry::IntSerializableObject tell
#include <memory>

#include <ferry/serialization/Fields.hpp>

namespace fail {

class Shape {
public:
    FERRY_FIELDS(area)
    virtual ~Shape() = default;
    int area = 0;
};

void write(ferry::IntWriter& out, const std::unique_ptr<Shape>& shape) { out << shape; }

}    // namespace fail
