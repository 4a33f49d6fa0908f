#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <ferry/benchmarks/serialization/Ints.hpp>
#include <ferry/benchmarks/serialization/Shapes.hpp>
#include <ferry/benchmarks/serialization/Vessel.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace bench {

/// The values that are written and read. Every run has the same values.
struct Samples {
    Samples();

    using Object = std::unique_ptr<ferry::IntSerializableObject>;

    std::vector<Object> ints;    // objects of class Ints with 1, 10, 100, 1000 and 1e6 values
    std::vector<Vessel> vessels;
    Shapes shapes;
    std::vector<double> doubles;    // 1e6
    Engine engine;

    static const std::vector<int>& valuesOf(const Object& object) { return dynamic_cast<const Ints&>(*object).values; }
};

/// Ferry's stream of a value. Two values count as equal when their streams are equal.
template <class T>
ferry::IntBuffer streamOf(const T& value) {
    ferry::IntBuffer buffer;
    ferry::IntWriter(buffer) << value;
    return buffer;
}

/// Throws when a reader has not restored the original.
template <class T>
void requireEqual(const T& read, const T& original, const std::string& reader) {
    if (streamOf(read) != streamOf(original)) throw std::runtime_error(reader + " did not read what was written");
}

}    // namespace bench
