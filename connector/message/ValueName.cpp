#include <ferry/connector/message/ValueName.hpp>

#include <atomic>
#include <cstddef>

namespace ferry::detail {

namespace {

// Libraries that are loaded later add their names while ranks that are threads may read the list.
std::atomic<ValueName*> latest{nullptr};

/// Replaces every occurrence of `old`, also those that a replacement creates.
void replaceAll(std::string& text, std::string_view old, std::string_view replacement) {
    for (std::size_t place = 0; (place = text.find(old, place)) != std::string::npos;) text.replace(place, old.size(), replacement);
}

}    // namespace

ValueName::ValueName(std::int32_t key, std::string_view name) noexcept : key_(key), name_(name), next_(latest.load()) {
    while (!latest.compare_exchange_weak(next_, this)) {}
}

std::string nameOfValue(std::int32_t key) {
    for (const ValueName* known = latest.load(); known != nullptr; known = known->next_) {
        if (known->key_ == key) return readableName(known->name_);
    }
    return "values of an unknown type";
}

std::string readableName(std::string_view spelled) {
    std::string name(spelled);
    replaceAll(name, "> >", ">>");
    replaceAll(name, spelledName<std::string>(), "std::string");
    return name;
}

}    // namespace ferry::detail
