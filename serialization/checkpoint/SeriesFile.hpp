#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/checkpoint/CheckpointReader.hpp>
#include <ferry/serialization/checkpoint/CheckpointWriter.hpp>
#include <ferry/serialization/checkpoint/GraphFile.hpp>
#include <ferry/serialization/checkpoint/TypeText.hpp>
#include <ferry/serialization/file/PathName.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphReader.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/graph/GraphWriter.hpp>
#include <ferry/serialization/ints/HeldText.hpp>

namespace ferry {

namespace detail {

/// The head of an entry of a series: its kind and type, as in the description of a file with this one entry.
struct SeriesHead {
    FileKind kind = FileKind::Value;
    std::string type;
    FERRY_FIELDS_DECLARED(kind, type)
};

/// The last int of each chunk of an entry. Frozen: docs/wire-format.md.
enum class SeriesMark : std::int32_t {
    EndOfEntry = 0,
    EndOfPiece = 1,    ///< another piece of the graph follows
    Inside = 2,        ///< the value, or the piece of the graph, goes on in the next chunk
};

/// Ints of a value, as save() writes them.
template <class T>
SeriesHead packForFile(IntBuffer& ints, const T& value) {
    if constexpr (isObjectPointer<T>) {
        return {FileKind::Object, packObjectInts(ints, value.get())};
    } else if constexpr (isObject<T>) {
        return {FileKind::Object, packObjectInts(ints, std::addressof(value))};
    } else {
        static_assert(!findGraphOnly<T>(),
                      "ferry: this type (see T in the lines near this one) holds raw pointers, which travel only inside a graph: put "
                      "ferry::graph(root)");
        IntWriter out(ints);
        out.lend(value);
        out.requireReadable();
        out.finish();
        return {FileKind::Value, typeTextOf<T>()};
    }
}

}    // namespace detail

/// Writes several values, objects, parts and graphs into one file, one after the other. Their types may differ. SeriesReader reads them in
/// the same order. At any time, even after a crash, the path names the whole old file or the whole new one.
///
/// Ownership: the file takes its path with finish(). A writer that is destroyed earlier leaves the old file.
/// Errors: FileError (CannotWrite), after which the writer can only be destroyed; UsageError for values that cannot travel, and for a call
///         after finish(). A value that was refused leaves no trace in the file. An error in the middle of a graph cuts its entry: then,
///         too, the writer can only be destroyed, and refuses everything else with UsageError.
class SeriesWriter {
public:
    explicit SeriesWriter(const detail::PathName& path);

    /// Writes a value, an object, or the object behind a std::unique_ptr, as save() does.
    template <class T>
        requires(!detail::NamedGraph<T>)
    void put(const T& value) {
        if constexpr (detail::isHeldText<T>) {
            put(detail::heldText(value));    // text is always read as std::string
        } else {
            IntBuffer ints;
            const detail::SeriesHead head = detail::packForFile(ints, value);
            putPacked(head, ints);
        }
    }
    /// Writes a structure piece by piece: put(ferry::graph(root)).
    template <class T>
    void put(const detail::GraphRoot<T>& graph) {
        begin({FileKind::Graph, detail::graphTypeText<T>()});
        Sink sink(*this);
        detail::GraphWriter(sink).write(graph);
    }
    /// Finishes the file, which is then on the disk.
    void finish();

    /// Writes an entry whose ints are packed already.
    void putPacked(const detail::SeriesHead& head, const IntBuffer& ints);

private:
    class Sink final : public detail::ChunkSink {
    public:
        explicit Sink(SeriesWriter& writer) noexcept : writer_(writer) {}
        IntBuffer begin() override {
            chunk_.clear();
            return std::move(chunk_);
        }
        void put(IntBuffer chunk, bool isLast) override {
            writer_.putChunks(chunk, isLast ? detail::SeriesMark::EndOfEntry : detail::SeriesMark::EndOfPiece);
            chunk_ = std::move(chunk);
        }

    private:
        SeriesWriter& writer_;
        IntBuffer chunk_;
    };

    void begin(const detail::SeriesHead& head);
    void putChunks(const IntBuffer& ints, detail::SeriesMark end);

    void requireWholeEntries() const;

    CheckpointWriter file_;
    std::size_t entryCount_ = 0;    ///< whole entries
    bool isInEntry_ = false;        ///< the last entry is not whole
};

/// Reads what SeriesWriter has written, entry by entry.
///
/// Errors: FileError, which names the problem of the file; SerializationError for an undamaged entry whose contents the type does not
///         accept; UnknownClass; UsageError for a read behind the last entry. After FileError (OtherType) the entry can be read as another
///         type; after another error the reader can only be destroyed.
class SeriesReader {
public:
    explicit SeriesReader(const detail::PathName& path, const ObjectFactory& factory = ObjectFactory::global());

    /// Whether another entry follows.
    bool hasNext() const noexcept { return next_.has_value(); }
    /// The next entry in words, such as "a value of type sequence<int32>".
    std::string nextInWords() const;
    /// The number of entries that have been read or skipped.
    std::size_t position() const noexcept { return position_; }

    /// The next entry, as load() returns it.
    template <class T>
    T get() {
        if constexpr (detail::isObjectPointer<T>) {
            return getPointer<typename T::element_type>();
        } else {
            static_assert(std::is_default_constructible_v<T>,
                          "ferry: an object of a class without a default constructor is read with getInto(object)");
            T value{};
            getInto(value);
            return value;
        }
    }
    /// Reads the next entry into a value or object that is there, or into a part of one: getInto(ferry::part<View>(object)).
    template <class T>
    void getInto(T&& target) {
        using Target = std::remove_cvref_t<T>;
        if constexpr (detail::isObject<Target>) {
            static_assert(detail::HasOwnClassName<Target>, "ferry: an object of a class without FERRY_CLASS");
            require(FileKind::Object, Target::ferryClassName());
            readObject(std::addressof(target));
        } else {
            require(FileKind::Value, detail::typeTextOf<Target>());
            const IntBuffer ints = takeInts();
            try {
                IntReader in(ints.ints(), factory_);
                in >> target;
                in.expectEnd();
            } catch (...) {
                detail::rethrowFromFile(file_);
            }
        }
    }
    /// The next entry, which is a graph whose root was put as a pointer to T. Reads it piece by piece.
    template <class T>
    Graph<T> getGraph(GraphMemory memory = GraphMemory::Heap) {
        require(FileKind::Graph, detail::graphTypeText<T>());
        detail::GraphReader<T> reader(memory, factory_);
        try {
            for (bool isLast = false; !isLast;) {
                const IntBuffer& piece = takePiece(isLast);
                reader.read(piece.ints(), isLast, isLast ? 0 : file_.intsLeft());
            }
        } catch (const SerializationError&) {
            detail::rethrowFromFile(file_);
        }
        toNext();
        return reader.take();
    }
    /// Passes over the next entry. Checks its checksums.
    void skip();

    /// Throws FileError (OtherType) unless the next entry has this kind and type.
    void require(FileKind kind, std::string_view type) const;
    /// The head of the next entry, and its ints, as they lie in the file.
    const detail::SeriesHead& head() const;
    IntBuffer takeInts();

private:
    template <class Base>
    std::unique_ptr<Base> getPointer() {
        using Object = std::remove_const_t<Base>;
        const auto failHere = [this] { failOtherType("an object of a class derived from " + detail::typeName(typeid(Base))); };
        if (head().kind != FileKind::Object) failHere();
        std::unique_ptr<Object> object;
        try {
            if (!head().type.empty()) object = factory_.createAs<Object>(detail::classIdOf(head().type));
        } catch (const UnknownClass&) {
            detail::rethrowFromFile(file_);
        } catch (const SerializationError&) {
            failHere();
        }
        readObject(object.get());
        return object;
    }

    [[noreturn]] void failOtherType(std::string_view expected) const;
    void readObject(IntSerializableObject* object);
    const IntBuffer& takePiece(bool& isLast);
    void toNext();

    CheckpointReader file_;
    const ObjectFactory& factory_;
    std::optional<detail::SeriesHead> next_;
    IntBuffer piece_;
    std::size_t position_ = 0;
};

}    // namespace ferry
