// EXPECT [with T = fail::Shape
// EXPECT ferry: an object of an abstract class (see T) cannot be made: receive a std::unique_ptr to it
#include <ferry/connector/Connector.hpp>

namespace fail {

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
};
void call(ferry::Connector& c) { c.receive<Shape>(0); }

}    // namespace fail
