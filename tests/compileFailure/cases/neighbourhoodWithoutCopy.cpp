// EXPECT ferry: a value that cannot be copied (see T) is given away: call the form with 'start' before its name, and get()
#include <memory>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace fail {

class Shape : public ferry::IntSerializableObject {};

void call(const ferry::Neighbourhood& around, const std::vector<std::unique_ptr<Shape>>& shapes) { around.allToAll(shapes); }

}    // namespace fail
