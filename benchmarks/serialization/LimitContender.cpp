// The limit of each case: copying the bytes of Ferry's stream into existing memory, copying the values, or allocating the memory.
#include <cstring>

#include <benchmark/benchmark.h>

#include <ferry/benchmarks/serialization/Contenders.hpp>

namespace bench {

namespace {

const std::string name = "limit";

void addCopyOfBytes(Suite& suite, const std::string& caseName, const void* bytes, std::size_t byteCount) {
    suite.add(caseName, name, [bytes, byteCount, target = std::vector<char>(byteCount)]() mutable {
        benchmark::DoNotOptimize(bytes);
        std::memcpy(target.data(), bytes, byteCount);
        benchmark::DoNotOptimize(target.data());
        benchmark::ClobberMemory();
    });
}

void addCopyOfStream(Suite& suite, const std::string& caseName, ferry::IntBuffer stream) {
    suite.add(caseName, name, [stream = std::move(stream), target = std::vector<std::int32_t>()]() mutable {
        target.resize(stream.size());
        std::memcpy(target.data(), stream.data(), stream.size() * sizeof(std::int32_t));
        benchmark::DoNotOptimize(target.data());
        benchmark::ClobberMemory();
    });
}

}    // namespace

void addLimits(Suite& suite, const Samples& samples) {
    for (const auto& object : samples.ints) {
        const std::vector<int>& values = Samples::valuesOf(object);
        addCopyOfBytes(suite, writeInts(values.size()), values.data(), values.size() * sizeof(int));
        addCopyOfBytes(suite, readIntsReused(values.size()), values.data(), values.size() * sizeof(int));
        suite.add(readIntsFresh(values.size()), name, [&values] {
            const std::vector<int> copy(values);
            benchmark::DoNotOptimize(copy.data());
            benchmark::ClobberMemory();
        });
    }
#ifdef FERRY_BENCH_BOOST
    addCopyOfBytes(suite, writeDoublesBridged, samples.doubles.data(), samples.doubles.size() * sizeof(double));
    addCopyOfBytes(suite, readDoublesBridged, samples.doubles.data(), samples.doubles.size() * sizeof(double));
#endif
    addCopyOfStream(suite, writeVessels, streamOf(samples.vessels));
    suite.add(readVessels, name, [&samples, copy = std::vector<Vessel>()]() mutable {
        copy = samples.vessels;
        benchmark::DoNotOptimize(copy.data());
        benchmark::ClobberMemory();
    });
    addCopyOfStream(suite, writeShapes, streamOf(samples.shapes));
    // A part of the work that is missing when bytes are copied. Only Google Benchmark shows this contender.
    suite.add(writeShapes, "virtual calls", [&samples] {
        ferry::detail::ClassId sum = 0;
        for (const auto& shape : samples.shapes) sum ^= shape->classId();
        benchmark::DoNotOptimize(sum);
        benchmark::ClobberMemory();
    });
    suite.add(readShapes, name, [&samples] {
        Shapes shapes;
        shapes.reserve(samples.shapes.size());
        for (const auto& shape : samples.shapes) shapes.push_back(shape->allocateAlike());
        benchmark::DoNotOptimize(shapes.data());
        benchmark::ClobberMemory();
    });
}

}    // namespace bench
