// cereal's binary archive. An archive for each time; the stream below it is used again.
#include <memory>
#include <ostream>

#include <benchmark/benchmark.h>
#include <cereal/archives/binary.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/polymorphic.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

#include <ferry/benchmarks/serialization/Contenders.hpp>
#include <ferry/benchmarks/serialization/MemoryStreambuf.hpp>

namespace bench {

template <class Archive>
void serialize(Archive& archive, Ints& object) {
    archive(object.values);
}

template <class Archive, class T>
    requires Record<T> || ConcreteShape<T>
void serialize(Archive& archive, T& object) {
    ferry::FieldAccess::visit(object, [&archive](auto&... fields) { archive(fields...); });
}

}    // namespace bench

CEREAL_REGISTER_TYPE(bench::Point)
CEREAL_REGISTER_TYPE(bench::Line)
CEREAL_REGISTER_TYPE(bench::Frame)
CEREAL_REGISTER_POLYMORPHIC_RELATION(bench::Shape, bench::Point)
CEREAL_REGISTER_POLYMORPHIC_RELATION(bench::Shape, bench::Line)
CEREAL_REGISTER_POLYMORPHIC_RELATION(bench::Shape, bench::Frame)

namespace bench {

namespace {

const std::string name = "cereal";

struct Channel {
    MemoryStreambuf memory;
    std::ostream out{&memory};
    std::istream in{&memory};
};

template <class T>
void write(Channel& channel, const T& value) {
    channel.memory.rewindToWrite();
    cereal::BinaryOutputArchive archive(channel.out);
    archive(value);
}

template <class T>
void read(Channel& channel, T& value) {
    channel.memory.rewindToRead();
    cereal::BinaryInputArchive archive(channel.in);
    archive(value);
}

template <class T>
std::shared_ptr<Channel> addWrite(Suite& suite, const std::string& caseName, const T& value) {
    const auto channel = std::make_shared<Channel>();
    suite.add(caseName, name, [&value, channel] {
        write(*channel, value);
        benchmark::DoNotOptimize(channel->memory.data());
        benchmark::ClobberMemory();
    });
    const auto written = std::make_shared<Channel>();
    write(*written, value);
    return written;
}

template <class T>
void addReadReused(Suite& suite, const std::string& caseName, const std::shared_ptr<Channel>& written, const T& original) {
    const auto target = std::make_shared<T>();
    suite.add(caseName, name, [written, target] {
        read(*written, *target);
        benchmark::ClobberMemory();
    });
    read(*written, *target);
    requireEqual(*target, original, name);
}

template <class T>
void addReadFresh(Suite& suite, const std::string& caseName, const std::shared_ptr<Channel>& written, const T& original) {
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

void addCereal(Suite& suite, const Samples& samples, StreamBytes& bytes) {
    for (const auto& object : samples.ints) {
        const auto& ints = dynamic_cast<const Ints&>(*object);
        const std::size_t count = ints.values.size();
        const auto written = addWrite(suite, writeInts(count), ints);
        addReadReused(suite, readIntsReused(count), written, ints);
        addReadFresh(suite, readIntsFresh(count), written, ints);
    }
    const auto vessels = addWrite(suite, writeVessels, samples.vessels);
    addReadReused(suite, readVessels, vessels, samples.vessels);
    bytes[writeVessels][name] = vessels->memory.writtenBytes();
    const auto shapes = addWrite(suite, writeShapes, samples.shapes);
    addReadFresh(suite, readShapes, shapes, samples.shapes);
    bytes[writeShapes][name] = shapes->memory.writtenBytes();
}

}    // namespace bench
