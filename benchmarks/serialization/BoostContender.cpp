// Boost.Serialization's binary archive, with its defaults. An archive for each time; the stream below it is used again.
#include <memory>

#include <benchmark/benchmark.h>
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/export.hpp>
#include <boost/serialization/unique_ptr.hpp>

#include <ferry/benchmarks/serialization/BoostSerialize.hpp>
#include <ferry/benchmarks/serialization/Contenders.hpp>
#include <ferry/benchmarks/serialization/MemoryStreambuf.hpp>

BOOST_SERIALIZATION_ASSUME_ABSTRACT(bench::Shape)
BOOST_CLASS_EXPORT(bench::Point)
BOOST_CLASS_EXPORT(bench::Line)
BOOST_CLASS_EXPORT(bench::Frame)

namespace bench {

namespace {

const std::string name = "Boost";

template <class T>
void write(MemoryStreambuf& memory, const T& value) {
    memory.rewindToWrite();
    boost::archive::binary_oarchive archive(memory);
    archive << value;
}

template <class T>
void read(MemoryStreambuf& memory, T& value) {
    memory.rewindToRead();
    boost::archive::binary_iarchive archive(memory);
    archive >> value;
}

template <class T>
std::shared_ptr<MemoryStreambuf> addWrite(Suite& suite, const std::string& caseName, const T& value) {
    const auto memory = std::make_shared<MemoryStreambuf>();
    suite.add(caseName, name, [&value, memory] {
        write(*memory, value);
        benchmark::DoNotOptimize(memory->data());
        benchmark::ClobberMemory();
    });
    const auto written = std::make_shared<MemoryStreambuf>();
    write(*written, value);
    return written;
}

template <class T>
void addReadReused(Suite& suite, const std::string& caseName, const std::shared_ptr<MemoryStreambuf>& written, const T& original) {
    const auto target = std::make_shared<T>();
    suite.add(caseName, name, [written, target] {
        read(*written, *target);
        benchmark::ClobberMemory();
    });
    read(*written, *target);
    requireEqual(*target, original, name);
}

template <class T>
void addReadFresh(Suite& suite, const std::string& caseName, const std::shared_ptr<MemoryStreambuf>& written, const T& original) {
    suite.add(caseName, name, [written] {
        const auto value = std::make_unique<T>();
        read(*written, *value);
        benchmark::DoNotOptimize(value.get());
        benchmark::ClobberMemory();
    });
    T value;
    read(*written, value);
    requireEqual(value, original, name);
}

}    // namespace

void addBoost(Suite& suite, const Samples& samples, StreamBytes& bytes) {
    boost::serialization::void_cast_register<Point, Shape>();
    boost::serialization::void_cast_register<Line, Shape>();
    boost::serialization::void_cast_register<Frame, Shape>();
    for (const auto& object : samples.ints) {
        const auto& ints = dynamic_cast<const Ints&>(*object);
        const std::size_t count = ints.values.size();
        const auto written = addWrite(suite, writeInts(count), ints);
        addReadReused(suite, readIntsReused(count), written, ints);
        addReadFresh(suite, readIntsFresh(count), written, ints);
    }
    const auto vessels = addWrite(suite, writeVessels, samples.vessels);
    addReadReused(suite, readVessels, vessels, samples.vessels);
    bytes[writeVessels][name] = vessels->writtenBytes();
    addReadReused(suite, readVesselsBridged, addWrite(suite, writeVesselsBridged, samples.vessels), samples.vessels);
    addReadReused(suite, readDoublesBridged, addWrite(suite, writeDoublesBridged, samples.doubles), samples.doubles);
    addReadReused(suite, readEngineBridged, addWrite(suite, writeEngineBridged, samples.engine), samples.engine);
    const auto shapes = addWrite(suite, writeShapes, samples.shapes);
    addReadFresh(suite, readShapes, shapes, samples.shapes);
    bytes[writeShapes][name] = shapes->writtenBytes();
}

}    // namespace bench
