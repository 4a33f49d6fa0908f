#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <ferry/connector/message/ValueKey.hpp>

namespace ferry {

namespace detail {

/// The name of T as the compiler spells it.
template <class T>
constexpr std::string_view spelledName() {
    const std::string_view spelled = __PRETTY_FUNCTION__;
    const std::size_t begin = spelled.find("T = ") + 4;
    return spelled.substr(begin, spelled.find_first_of(";]", begin) - begin);
}

/// An entry in the list of type names by their keys. An entry adds itself to the list, usually before main().
class ValueName {
public:
    ValueName(std::int32_t key, std::string_view name) noexcept;
    ValueName(const ValueName&) = delete;
    ValueName& operator=(const ValueName&) = delete;

private:
    friend std::string nameOfValue(std::int32_t key);

    std::int32_t key_;
    std::string_view name_;
    ValueName* next_;
};

template <class T>
inline const ValueName valueName{valueKey<T>, spelledName<T>()};

}    // namespace detail

/// The key of T. nameOfValue() knows the name of T from now on. All ranks run one build of a program, so each rank knows the name.
template <class T>
std::int32_t namedValueKey() noexcept {
    static_cast<void>(&detail::valueName<T>);
    return valueKey<T>;
}

namespace detail {

/// The name of the type with this key, for errors; without one, "values of an unknown type".
std::string nameOfValue(std::int32_t key);

/// The compiler's spelling of a type, as people write it: with std::string.
std::string readableName(std::string_view spelled);

}    // namespace detail

}    // namespace ferry
