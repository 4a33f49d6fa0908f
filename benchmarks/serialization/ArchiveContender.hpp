#pragma once

#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include <ferry/benchmarks/serialization/Contenders.hpp>

namespace bench {

/// A library of archives over a stream as a contender. Each operation makes a new archive. The stream below it is reused.
///
/// A Library has: name; a class Channel, which holds a stream over memory; write(Channel&, value) and read(Channel&, value), which begin at
/// the front; writtenBytes(Channel&).
template <class Library>
class ArchiveContender {
public:
    using Channel = typename Library::Channel;

    explicit ArchiveContender(Suite& suite) : suite_(suite) {}

    /// Adds the cases that every library supports.
    void addCommon(const Samples& samples, StreamBytes& bytes) {
        for (const auto& object : samples.ints) {
            const auto& ints = dynamic_cast<const Ints&>(*object);
            const std::size_t count = ints.values.size();
            const auto written = addWrite(writeInts(count), ints);
            addReadReused(readIntsReused(count), written, ints);
            addReadFresh(readIntsFresh(count), written, ints);
        }
        const auto vessels = addWrite(writeVessels, samples.vessels);
        addReadReused(readVessels, vessels, samples.vessels);
        bytes[writeVessels][Library::name] = Library::writtenBytes(*vessels);
        const auto shapes = addWrite(writeShapes, samples.shapes);
        addReadFresh(readShapes, shapes, samples.shapes);
        bytes[writeShapes][Library::name] = Library::writtenBytes(*shapes);
    }

    /// Returns a channel to which the value has been written. The value must outlive the suite.
    template <class T>
    std::shared_ptr<Channel> addWrite(const std::string& caseName, const T& value) {
        const auto channel = std::make_shared<Channel>();
        suite_.add(caseName, Library::name, [&value, channel] {
            Library::write(*channel, value);
            benchmark::DoNotOptimize(channel.get());
            benchmark::ClobberMemory();
        });
        const auto written = std::make_shared<Channel>();
        Library::write(*written, value);
        return written;
    }

    /// Adds reading into a value that keeps its memory between the operations.
    template <class T>
    void addReadReused(const std::string& caseName, const std::shared_ptr<Channel>& written, const T& original) {
        const auto target = std::make_shared<T>();
        suite_.add(caseName, Library::name, [written, target] {
            Library::read(*written, *target);
            benchmark::ClobberMemory();
        });
        Library::read(*written, *target);
        requireEqual(*target, original, Library::name);
    }

    template <class T>
    void addReadFresh(const std::string& caseName, const std::shared_ptr<Channel>& written, const T& original) {
        suite_.add(caseName, Library::name, [written] {
            const auto value = std::make_unique<T>();
            Library::read(*written, *value);
            benchmark::DoNotOptimize(value.get());
            benchmark::ClobberMemory();
        });
        T value;
        Library::read(*written, value);
        requireEqual(value, original, Library::name);
    }

private:
    Suite& suite_;
};

}    // namespace bench
