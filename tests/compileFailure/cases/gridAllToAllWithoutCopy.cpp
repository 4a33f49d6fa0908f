// EXPECT ferry: values that cannot be copied (see T) do not go by two hops: give them away with startAllToAll, and get()
#include <memory>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace fail {

class Shape : public ferry::IntSerializableObject {};

void call(ferry::Connector& c, const std::vector<std::unique_ptr<Shape>>& shapes) { c.gridAllToAll(shapes); }

}    // namespace fail
