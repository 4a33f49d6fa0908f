#include <ferry/connector/message/letter/ValueName.hpp>

#include <atomic>

#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry::detail {

namespace {

// Libraries that are loaded later add their names while ranks that are threads may read the list.
std::atomic<ValueName*> latest{nullptr};

}    // namespace

ValueName::ValueName(std::int32_t key, std::string_view name) noexcept : key_(key), name_(name), next_(latest.load()) {
    while (!latest.compare_exchange_weak(next_, this)) {}
}

std::optional<std::string> knownNameOfValue(std::int32_t key) {
    for (const ValueName* known = latest.load(); known != nullptr; known = known->next_) {
        if (known->key_ == key) return readableTypeName(known->name_);
    }
    return std::nullopt;
}

std::string nameOfValue(std::int32_t key) { return knownNameOfValue(key).value_or("values of an unknown type"); }

}    // namespace ferry::detail
