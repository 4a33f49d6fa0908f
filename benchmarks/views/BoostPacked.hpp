#pragma once

#include <cstddef>
#include <tuple>

#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/shared_ptr.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <ferry/benchmarks/support/MemoryStreambuf.hpp>
#include <ferry/benchmarks/views/Members.hpp>
#include <ferry/benchmarks/views/Samples.hpp>

// The binary archive of Boost.Serialization, with its defaults, on the same members.

namespace boost::serialization {

template <class Archive, class T>
    requires requires(T& object) { bench::fieldsOf(object); }
void serialize(Archive& archive, T& object, unsigned /*version*/) {
    std::apply([&archive](auto&... fields) { (archive & ... & fields); }, bench::fieldsOf(object));
}

template <class Archive, class Part>
    requires requires(Part& part) { part.objects; }
void serialize(Archive& archive, Part& part, unsigned /*version*/) {
    for (auto& object : part.objects) {
        std::apply([&archive](auto&... fields) { (archive & ... & fields); }, bench::partOf(part, object));
    }
}

}    // namespace boost::serialization

namespace bench {
namespace {

class BoostPacked {
public:
    static constexpr const char* name = "Boost";

    template <class T>
    void pack(T& value) {
        stream_.rewindToWrite();
        boost::archive::binary_oarchive archive(stream_);
        archive << value;
    }
    template <class T>
    void unpack(T& value) {
        stream_.rewindToRead();
        boost::archive::binary_iarchive archive(stream_);
        archive >> value;
    }

private:
    MemoryStreambuf stream_;
};

}    // namespace
}    // namespace bench
