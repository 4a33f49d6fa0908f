#pragma once

#include <cstdint>
#include <string_view>

#include <ferry/serialization/ClassId.hpp>

namespace ferry {

/// The key under which values of type T travel, so that a value is never read as one of another type. It is a hash of the type's name as
/// the compiler spells it: all ranks run one build of a program.
template <class T>
constexpr std::int32_t valueKey() {
    return classIdOf(std::string_view(__PRETTY_FUNCTION__));
}

}    // namespace ferry
