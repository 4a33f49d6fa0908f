// The binary archive of Boost.Serialization, with its defaults.
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/export.hpp>
#include <boost/serialization/unique_ptr.hpp>

#include <ferry/benchmarks/serialization/ArchiveContender.hpp>
#include <ferry/benchmarks/serialization/BoostSerialize.hpp>
#include <ferry/benchmarks/support/MemoryStreambuf.hpp>

BOOST_SERIALIZATION_ASSUME_ABSTRACT(bench::Shape)
BOOST_CLASS_EXPORT(bench::Point)
BOOST_CLASS_EXPORT(bench::Line)
BOOST_CLASS_EXPORT(bench::Frame)

namespace bench {

namespace {

struct Boost {
    static constexpr const char* name = "Boost";
    using Channel = MemoryStreambuf;

    template <class T>
    static void write(Channel& channel, const T& value) {
        channel.rewindToWrite();
        boost::archive::binary_oarchive archive(channel);
        archive << value;
    }
    template <class T>
    static void read(Channel& channel, T& value) {
        channel.rewindToRead();
        boost::archive::binary_iarchive archive(channel);
        archive >> value;
    }
    static std::size_t writtenBytes(Channel& channel) { return channel.writtenBytes(); }
};

}    // namespace

void addBoost(Suite& suite, const Samples& samples, StreamBytes& bytes) {
    boost::serialization::void_cast_register<Point, Shape>();
    boost::serialization::void_cast_register<Line, Shape>();
    boost::serialization::void_cast_register<Frame, Shape>();
    ArchiveContender<Boost> contender(suite);
    contender.addCommon(samples, bytes);
    contender.addReadReused(readVesselsBridged, contender.addWrite(writeVesselsBridged, samples.vessels), samples.vessels);
    contender.addReadReused(readDoublesBridged, contender.addWrite(writeDoublesBridged, samples.doubles), samples.doubles);
    contender.addReadReused(readEngineBridged, contender.addWrite(writeEngineBridged, samples.engine), samples.engine);
}

}    // namespace bench
