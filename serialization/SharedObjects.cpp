#include <ferry/serialization/SharedObjects.hpp>

#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/IntReader.hpp>
#include <ferry/serialization/TypeName.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

std::size_t WrittenShares::HashKey::operator()(const Key& key) const noexcept {
    return std::hash<const void*>()(key.address) * 31 + key.type.hash_code();
}

WrittenShares::Visit WrittenShares::visit(std::shared_ptr<const void> object, const std::type_info& type) {
    if (objects_.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        FERRY_THROW(UsageError("more than 2147483647 shared objects in one message"));
    }
    const auto next = static_cast<std::int32_t>(objects_.size() + 1);
    const auto [found, isFirst] = numbers_.try_emplace(Key{object.get(), type}, next);
    if (isFirst) objects_.push_back({std::move(object), false});
    return {found->second, isFirst};
}

void WrittenShares::failCycle(const std::type_info& type) {
    FERRY_THROW(UsageError(fmt::format(
        "an object of {} owns itself through shared_ptr: use weak_ptr for the way back, or send it with ferry::graph", typeName(type))));
}

void failWrongShare(const IntReader& in, std::size_t number, const std::type_info& expected, const ReadShares::Share& share) {
    const IntSerializableObject* object = share.object.get();
    const std::type_info& found = object != nullptr ? typeid(*object) : *share.plainType;
    in.fail(fmt::format("a shared object of {}", typeName(expected)), fmt::format("object {}, which is of {}", number, typeName(found)));
}

}    // namespace ferry::detail
