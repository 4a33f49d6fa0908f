#pragma once

#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <ferry/benchmarks/serialization/Ints.hpp>
#include <ferry/benchmarks/serialization/Shapes.hpp>
#include <ferry/benchmarks/serialization/Vessel.hpp>

// The functions of the samples for Boost.Serialization: the same fields in the same order.

namespace boost::serialization {

template <class Archive>
void serialize(Archive& archive, bench::Ints& object, unsigned /*version*/) {
    archive& object.values;
}

template <class Archive, class T>
    requires bench::Record<T> || bench::ConcreteShape<T>
void serialize(Archive& archive, T& object, unsigned /*version*/) {
    ferry::detail::FieldAccess::visit(object, [&archive](auto&... fields) { (archive & ... & fields); });
}

}    // namespace boost::serialization
