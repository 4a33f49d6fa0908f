#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace ferry::detail {

/// Makes connectors of groups whose members know each other already. No member communicates for that.
class TeamConnector {
public:
    /// The connector of some ranks of `around`, this rank included, counted in the order of the list. All members give the same list and
    /// the same id. The id is greater than those of all groups that a member has made on `around` before. The members search for deadlocks
    /// among themselves, whatever the other ranks of `around` do.
    /// Ownership: must not outlive `around`.
    static std::unique_ptr<Connector> make(Connector& around, std::vector<int> members, std::int32_t id);
};

}    // namespace ferry::detail
