#include <ferry/connector/TeamConnector.hpp>

#include <utility>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/state/Standstill.hpp>
#include <ferry/connector/verbs/Inside.hpp>

namespace ferry::detail {

std::unique_ptr<Connector> TeamConnector::make(Connector& around, std::vector<int> members, std::int32_t id) {
    std::unique_ptr<Connector> team = around.makeGroup(std::move(members), id);
    mailboxOf(*team).standstill().setQuietTime(mailboxOf(around).standstill().quietTimeOfTeams());
    return team;
}

}    // namespace ferry::detail
