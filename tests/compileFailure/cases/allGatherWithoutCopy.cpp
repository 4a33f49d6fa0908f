// EXPECT ferry: a value that cannot be copied (see T) is given away: call the form with 'start' before its name, and get()
#include <memory>

#include <ferry/connector/Connector.hpp>

namespace fail {

class Shape : public ferry::IntSerializableObject {};

void call(ferry::Connector& c, const std::unique_ptr<Shape>& shape) { c.allGather(shape); }

}    // namespace fail
