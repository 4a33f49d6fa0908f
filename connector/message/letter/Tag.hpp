#pragma once

#include <cstdint>
#include <type_traits>

namespace ferry {

/// A number that tells messages of one type from one rank apart. send(1, value, Tag(7)) is received by receive<T>(0, Tag(7)), and by no
/// receive without that tag. A message sent without a tag has Tag().
class Tag {
public:
    constexpr Tag() noexcept = default;
    /// Any int, or a value of an enumeration with values of 32 bits or fewer.
    constexpr explicit Tag(std::int32_t number) noexcept : number_(number) {}
    template <class Enumeration>
        requires(std::is_enum_v<Enumeration> && sizeof(Enumeration) <= sizeof(std::int32_t))
    constexpr explicit Tag(Enumeration value) noexcept
        : number_(static_cast<std::int32_t>(static_cast<std::underlying_type_t<Enumeration>>(value))) {}

    constexpr std::int32_t number() const noexcept { return number_; }
    friend constexpr bool operator==(Tag, Tag) noexcept = default;

private:
    std::int32_t number_ = 0;
};

}    // namespace ferry
