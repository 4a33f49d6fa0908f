#include <ferry/connector/TeamConnector.hpp>

#include <utility>

namespace ferry::detail {

std::unique_ptr<Connector> TeamConnector::make(Connector& around, std::vector<int> members, std::int32_t id) {
    return around.makeGroup(std::move(members), id);
}

}    // namespace ferry::detail
