// Types with functions for Boost.Serialization, sent through Ferry's bridge. Each value has an archive, as when it is a field of a message.
#include <memory>

#include <benchmark/benchmark.h>

#include <ferry/benchmarks/serialization/BoostSerialize.hpp>
#include <ferry/benchmarks/serialization/Contenders.hpp>
#include <ferry/serialization/boost/BoostBridge.hpp>

namespace bench {

namespace {

const std::string name = "ferry";

template <class T>
void addBridged(Suite& suite, const std::string& writeCase, const std::string& readCase, const T& value) {
    suite.add(writeCase, name, [&value, buffer = ferry::IntBuffer()]() mutable {
        buffer.clear();
        ferry::IntWriter(buffer) << ferry::boosted(value);
        benchmark::DoNotOptimize(buffer.data());
        benchmark::ClobberMemory();
    });
    const ferry::IntBuffer stream = streamOf(ferry::boosted(value));
    const auto target = std::make_shared<T>();
    suite.add(readCase, name, [stream, target] {
        ferry::IntReader in(stream.ints());
        in >> ferry::boosted(*target);
        in.expectEnd();
        benchmark::ClobberMemory();
    });
    ferry::IntReader in(stream.ints());
    in >> ferry::boosted(*target);
    requireEqual(*target, value, "the bridge");
}

}    // namespace

void addBridge(Suite& suite, const Samples& samples) {
    addBridged(suite, writeEngineBridged, readEngineBridged, samples.engine);
    addBridged(suite, writeVesselsBridged, readVesselsBridged, samples.vessels);
    addBridged(suite, writeDoublesBridged, readDoublesBridged, samples.doubles);
}

}    // namespace bench
