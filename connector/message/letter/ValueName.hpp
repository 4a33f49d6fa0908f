#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ferry/connector/message/letter/ValueKey.hpp>
#include <ferry/serialization/ints/CompilersText.hpp>

namespace ferry::detail {

/// The name of the type with this key, for errors; none when this rank does not know the key.
std::optional<std::string> knownNameOfValue(std::int32_t key);

/// The name of T as the compiler spells it.
template <class T>
constexpr std::string_view spelledName() {
    return compilersTextOf<T>();
}

/// An entry in the list of type names by their keys. An entry adds itself to the list, usually before main().
class ValueName {
public:
    ValueName(std::int32_t key, std::string_view name) noexcept;
    ValueName(const ValueName&) = delete;
    ValueName& operator=(const ValueName&) = delete;

private:
    friend std::optional<std::string> knownNameOfValue(std::int32_t key);

    std::int32_t key_;
    std::string_view name_;
    ValueName* next_;
};

template <class T>
inline const ValueName valueName{valueKey<T>, spelledName<T>()};

/// The key of T. nameOfValue() knows the name of T from now on. All ranks run one build of a program, so each rank knows the name.
template <class T>
std::int32_t namedValueKey() noexcept {
    static_cast<void>(&detail::valueName<T>);
    return valueKey<T>;
}

/// The name of the type with this key, for errors; without one, "values of an unknown type".
std::string nameOfValue(std::int32_t key);

}    // namespace ferry::detail
