#include <ferry/serialization/checkpoint/CheckpointFile.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include <ferry/serialization/checkpoint/CheckpointWriter.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UnknownClass.hpp>

namespace ferry {

namespace detail {

namespace {

constexpr std::size_t ChunkInts = std::size_t{1} << 18;    // 1 MiB

/// The object behind a pointer to an object of the class hierarchy.
struct PointedTo {
    const IntSerializableObject& object;
};

}    // namespace

}    // namespace detail

template <>
struct Codec<detail::PointedTo> {
    static void write(IntWriter& out, const detail::PointedTo& pointed) { detail::writePolymorphic(out, pointed.object); }
    static void read(IntReader&, detail::PointedTo&) {}
};

namespace detail {

void forChunks(const IntBuffer& ints, std::size_t mostInts, const std::function<void(std::vector<IntBuffer::Segment>&, bool)>& put) {
    std::vector<IntBuffer::Segment> chunk;
    std::size_t chunkInts = 0;
    for (IntBuffer::Segment segment : ints.segments()) {
        while (segment.intCount != 0) {
            const std::size_t taken = std::min(segment.intCount, mostInts - chunkInts);
            chunk.push_back({segment.bytes, taken, segment.isBorrowed});
            segment.bytes += taken * sizeof(std::int32_t);
            segment.intCount -= taken;
            chunkInts += taken;
            if (chunkInts == mostInts) {
                put(chunk, false);
                chunk.clear();
                chunkInts = 0;
            }
        }
    }
    put(chunk, true);
}

void putInChunks(CheckpointWriter& file, const IntBuffer& ints, std::size_t mostInts, bool isLast) {
    forChunks(ints, mostInts, [&](const std::vector<IntBuffer::Segment>& segments, bool isEnd) { file.put(segments, isEnd && isLast); });
}

void saveInts(const PathName& path, const FileDescription& description, const IntBuffer& ints) {
    CheckpointWriter file(path, description);
    putInChunks(file, ints, ChunkInts, true);
}

std::string packObjectInts(IntBuffer& ints, const IntSerializableObject* object) {
    if (object == nullptr) {
        IntWriter(ints).writeInt(0);
        return {};
    }
    const PointedTo pointed{*object};
    IntWriter out(ints);
    out.lend(pointed);
    out.requireReadable();
    out.finish();
    return object->className();
}

void saveObject(const PathName& path, const IntSerializableObject* object) {
    IntBuffer ints;
    std::string className = packObjectInts(ints, object);
    saveInts(path, FileDescription::of(FileKind::Object, std::move(className)), ints);
}

IntBuffer loadInts(CheckpointReader& file) {
    IntBuffer ints;
    while (file.next(ints) != 0) {}
    return ints;
}

void rethrowFromFile(const CheckpointReader& file) {
    try {
        throw;
    } catch (UnknownClass& error) {
        error.setName(file.description().nameOf(error.unknownId()));
        error.addSource(file.path().native());
        throw;
    } catch (SerializationError& error) {
        error.addSource(file.path().native());
        throw;
    }
}

void loadContents(CheckpointReader& file, const ObjectFactory& factory, IntSerializableObject* object) {
    readObjectInts(file, factory, loadInts(file), object);
}

void readObjectInts(const CheckpointReader& file, const ObjectFactory& factory, const IntBuffer& ints, IntSerializableObject* object) {
    try {
        IntReader in(ints.ints(), factory);
        const ClassId expected = object != nullptr ? object->classId() : 0;
        const ClassId found = in.readInt();
        if (found != expected) {
            in.rewind(0);
            in.fail("the class ID of the file's description, " + std::to_string(expected), std::to_string(found));
        }
        if (object != nullptr) readContents(in, *object);
        in.expectEnd();
    } catch (...) {
        rethrowFromFile(file);
    }
}

}    // namespace detail

}    // namespace ferry
