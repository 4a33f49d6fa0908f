#include <ferry/device/MemberChain.hpp>

#include <fmt/format.h>

#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry::detail {

void failNullLink(std::size_t link, std::size_t links, const std::type_info& owner, const std::type_info& member) {
    throw UsageError(fmt::format("ferry::chain: link {} of {} is null: a member of {} with the type {}", link, links, typeName(owner),
                                 typeName(member)));
}

}    // namespace ferry::detail
