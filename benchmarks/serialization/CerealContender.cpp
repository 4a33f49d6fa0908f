// The binary archive of cereal.
#include <istream>
#include <ostream>

#include <cereal/archives/binary.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/polymorphic.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

#include <ferry/benchmarks/serialization/ArchiveContender.hpp>
#include <ferry/benchmarks/support/MemoryStreambuf.hpp>

namespace bench {

template <class Archive>
void serialize(Archive& archive, Ints& object) {
    archive(object.values);
}

template <class Archive, class T>
    requires Record<T> || ConcreteShape<T>
void serialize(Archive& archive, T& object) {
    ferry::detail::FieldAccess::visit(object, [&archive](auto&... fields) { archive(fields...); });
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

struct Cereal {
    static constexpr const char* name = "cereal";
    struct Channel {
        MemoryStreambuf memory;
        std::ostream out{&memory};
        std::istream in{&memory};
    };

    template <class T>
    static void write(Channel& channel, const T& value) {
        channel.memory.rewindToWrite();
        cereal::BinaryOutputArchive archive(channel.out);
        archive(value);
    }
    template <class T>
    static void read(Channel& channel, T& value) {
        channel.memory.rewindToRead();
        cereal::BinaryInputArchive archive(channel.in);
        archive(value);
    }
    static std::size_t writtenBytes(Channel& channel) { return channel.memory.writtenBytes(); }
};

}    // namespace

void addCereal(Suite& suite, const Samples& samples, StreamBytes& bytes) { ArchiveContender<Cereal>(suite).addCommon(samples, bytes); }

}    // namespace bench
