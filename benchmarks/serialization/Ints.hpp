#pragma once

#include <utility>
#include <vector>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>

namespace bench {

/// An object that holds a vector of ints, and travels by its virtual functions.
class Ints : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(bench::Ints)
    FERRY_FIELDS(values)
    Ints() = default;
    explicit Ints(std::vector<int> theValues) : values(std::move(theValues)) {}
    std::vector<int> values;
};

}    // namespace bench
