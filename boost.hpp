#pragma once

/// Types that have functions for Boost.Serialization travel by these. Link ferry::boost. Include this header before BOOST_CLASS_EXPORT.
///
///     #include <ferry/boost.hpp>
///     #include <ferry/objects.hpp>
///
///     struct Legacy {
///         int year = 1999;
///         template <class Archive>
///         void serialize(Archive& archive, unsigned) {
///             archive & year;
///         }
///     };
///     template <>
///     inline constexpr bool ferry::useBoost<Legacy> = true;
///
///     int main() {
///         ferry::save("legacy.ferry", Legacy());
///         return ferry::load<Legacy>("legacy.ferry").year == 1999 ? 0 : 1;
///     }

#include <ferry/serialization/boost/BoostBridge.hpp>
