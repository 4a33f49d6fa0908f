#pragma once

#include <cstdint>
#include <string_view>

namespace ferry::detail {

/// Identifies a class on the wire. 0 means 'no object'.
using ClassId = std::int32_t;

/// The ID of the class with this wire name: FNV-1a over the bytes of the name, mixed so that similar names lie far apart.
/// Frozen (docs/wire-format.md): messages and files of earlier versions hold these numbers. Never 0.
constexpr ClassId classIdOf(std::string_view name) noexcept {
    std::uint32_t hash = 2166136261u;
    for (const char character : name) {
        hash ^= static_cast<unsigned char>(character);
        hash *= 16777619u;
    }
    hash ^= hash >> 16;
    hash *= 0x85ebca6bu;
    hash ^= hash >> 13;
    hash *= 0xc2b2ae35u;
    hash ^= hash >> 16;
    return static_cast<ClassId>(hash != 0 ? hash : 0x9e3779b9u);
}

}    // namespace ferry::detail
