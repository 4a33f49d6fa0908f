#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include <ferry/serialization/ints/CodecTraits.hpp>
#include <ferry/serialization/ints/KeyOrder.hpp>

// A variant travels as the index of the alternative, then its value.

namespace ferry {

template <>
struct Codec<std::monostate> {
    static void write(IntWriter&, std::monostate) {}
    static void read(IntReader&, std::monostate&) {}
};

template <class... Alternatives>
struct Codec<std::variant<Alternatives...>> {
    using Variant = std::variant<Alternatives...>;

    static constexpr std::size_t minInts = 1;
    static constexpr bool isWritable = (detail::Writable<Alternatives> && ...);
    static constexpr bool needsGraph = (ferry::detail::needsGraph<Alternatives> || ...);

    /// Throws std::bad_variant_access for a variant that lost its value to an exception.
    static void write(IntWriter& out, const Variant& variant) {
        std::visit(
            [&](const auto& value) {
                out.writeInt(static_cast<std::int32_t>(variant.index()));
                detail::writeValue(out, value);
            },
            variant);
    }

    static void read(IntReader& in, Variant& variant) {
        constexpr bool canBeMade = (std::is_default_constructible_v<Alternatives> && ...);
        static_assert(canBeMade, "ferry: every alternative of a variant (see Alternatives) needs a default constructor to be read");
        (detail::requireMadeReady<Alternatives>(), ...);
        const std::int32_t index = in.peekInt();
        if (index < 0 || static_cast<std::size_t>(index) >= sizeof...(Alternatives))
            detail::failAlternative(in, sizeof...(Alternatives), index);
        in.take(1);
        if constexpr (canBeMade) readAlternative(std::index_sequence_for<Alternatives...>(), in, variant, static_cast<std::size_t>(index));
    }

private:
    template <std::size_t... I>
    static void readAlternative(std::index_sequence<I...>, IntReader& in, Variant& variant, std::size_t index) {
        static_cast<void>(((I == index && (detail::readValue(in, variant.template emplace<I>()), true)) || ...));
    }
};

}    // namespace ferry
