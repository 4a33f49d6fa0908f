#include <ferry/connector/message/ValueName.hpp>

#include <atomic>

namespace ferry::detail {

namespace {

// Libraries that are loaded later add their names while ranks that are threads may read the list.
std::atomic<ValueName*> latest{nullptr};

}    // namespace

ValueName::ValueName(std::int32_t key, std::string_view name) noexcept : key_(key), name_(name), next_(latest.load()) {
    while (!latest.compare_exchange_weak(next_, this)) {}
}

std::string_view nameOfValue(std::int32_t key) noexcept {
    for (const ValueName* known = latest.load(); known != nullptr; known = known->next_) {
        if (known->key_ == key) return known->name_;
    }
    return "values of an unknown type";
}

}    // namespace ferry::detail
