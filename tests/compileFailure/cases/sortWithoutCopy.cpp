// EXPECT ferry: sort takes elements that can be copied (see T): samples of them go to all ranks
#include <memory>
#include <utility>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace fail {

class Shape : public ferry::IntSerializableObject {};

void call(ferry::Connector& c, std::vector<std::unique_ptr<Shape>> shapes) { c.sort(std::move(shapes)); }

}    // namespace fail
