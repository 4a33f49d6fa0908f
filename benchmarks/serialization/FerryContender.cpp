// Ferry in the way a program uses it: a writer over a buffer that is cleared and reused, and a reader over the ints. Objects are behind
// pointers to their root class (class ID, registry, virtual functions). Records have FERRY_FIELDS.
#include <memory>

#include <benchmark/benchmark.h>

#include <ferry/benchmarks/serialization/Contenders.hpp>

namespace bench {

namespace {

const std::string name = "ferry";

template <class T>
void addWrite(Suite& suite, const std::string& caseName, const T& value) {
    suite.add(caseName, name, [&value, buffer = ferry::IntBuffer()]() mutable {
        buffer.clear();
        ferry::IntWriter(buffer) << value;
        benchmark::DoNotOptimize(buffer.data());
        benchmark::ClobberMemory();
    });
}

/// Adds reading into a value that keeps its memory between the operations.
template <class T>
void addReadReused(Suite& suite, const std::string& caseName, const T& original, const std::shared_ptr<T>& target) {
    const ferry::IntBuffer stream = streamOf(original);
    suite.add(caseName, name, [stream, target] {
        ferry::IntReader in(stream.ints());
        in >> *target;
        in.expectEnd();
        benchmark::ClobberMemory();
    });
    ferry::IntReader in(stream.ints());
    in >> *target;
    requireEqual(*target, original, name);
}

template <class T>
void addReadFresh(Suite& suite, const std::string& caseName, const T& original) {
    const ferry::IntBuffer stream = streamOf(original);
    suite.add(caseName, name, [stream] {
        T value;
        ferry::IntReader in(stream.ints());
        in >> value;
        in.expectEnd();
        benchmark::DoNotOptimize(value);
        benchmark::ClobberMemory();
    });
    T value;
    ferry::IntReader in(stream.ints());
    in >> value;
    requireEqual(value, original, name);
}

}    // namespace

void addFerry(Suite& suite, const Samples& samples, StreamBytes& bytes) {
    for (const auto& object : samples.ints) {
        const std::size_t count = Samples::valuesOf(object).size();
        addWrite(suite, writeInts(count), object);
        addReadReused<ferry::IntSerializableObject>(suite, readIntsReused(count), *object, std::make_shared<Ints>());
        addReadFresh(suite, readIntsFresh(count), object);
    }
    addWrite(suite, writeVessels, samples.vessels);
    addReadReused(suite, readVessels, samples.vessels, std::make_shared<std::vector<Vessel>>());
    addWrite(suite, writeShapes, samples.shapes);
    addReadFresh(suite, readShapes, samples.shapes);
    bytes[writeVessels][name] = streamOf(samples.vessels).size() * sizeof(std::int32_t);
    bytes[writeShapes][name] = streamOf(samples.shapes).size() * sizeof(std::int32_t);
}

}    // namespace bench
