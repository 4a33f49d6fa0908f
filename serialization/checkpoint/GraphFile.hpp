#pragma once

#include <string>
#include <type_traits>

#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/checkpoint/CheckpointWriter.hpp>
#include <ferry/serialization/file/PathName.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphCodec.hpp>
#include <ferry/serialization/graph/GraphReader.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/graph/GraphWriter.hpp>
#include <ferry/serialization/graph/PartGraph.hpp>

namespace ferry {

namespace detail {

/// The type name of a graph file. For a root of the class hierarchy it is "object", because such a root may have any class.
template <class T>
std::string graphTypeText() {
    if constexpr (isObject<T>)
        return "object";
    else
        return typeTextOf<T>();
}

/// A graph that is a value, and one whose objects travel as a part.
template <class ViewOfObject, class T>
struct TemplateText<PartGraph<ViewOfObject, T>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) { text.addTemplate<Part<ViewOfObject, T>, T>("partGraph"); }
};
template <class T>
struct TemplateText<Graph<T>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) { PointeeText<T>::add(text, "graph"); }
};

/// Writes the pieces of a graph to a file. Each piece is one chunk. A piece longer than the largest chunk becomes several chunks.
class FileSink final : public ChunkSink {
public:
    FileSink(const PathName& path, const FileDescription& description) : file_(path, description) {}
    IntBuffer begin() override;
    void put(IntBuffer chunk, bool isLast) override;

private:
    CheckpointWriter file_;
    IntBuffer chunk_;    // kept so that its memory is used again
};

/// Reads the pieces of a graph again. Each piece holds whole objects.
class FilePieces {
public:
    explicit FilePieces(CheckpointReader& file) : file_(file) {}
    /// The ints of the next piece, valid until the next call. Empty at the end.
    std::span<const std::int32_t> next();

private:
    CheckpointReader& file_;
    IntBuffer piece_;
};

/// To be called in a handler of a SerializationError. Throws the error of the rest of the file. If the rest is undamaged, rethrows the
/// SerializationError.
[[noreturn]] void rethrowFromPieces(CheckpointReader& file);

}    // namespace detail

/// Saves a structure of objects that point to each other (see GraphRoot.hpp): saveGraph(path, ferry::graph(root)). The structure is written
/// piece by piece. Memory: one piece, and the table that recognises objects. At any time, even after a crash, the path names the whole old
/// file or the whole new one. Errors: FileError (CannotWrite); UsageError for ambiguous pointers.
template <class T>
void saveGraph(const detail::PathName& path, const detail::GraphRoot<T>& graph) {
    detail::FileSink sink(path, FileDescription::of(FileKind::Graph, detail::graphTypeText<T>()));
    detail::GraphWriter(sink).write(graph);
}

/// Like the function above. root: a raw pointer, unique_ptr, shared_ptr or Graph.
template <class Pointer>
    requires(!detail::NamedGraph<Pointer>)
void saveGraph(const detail::PathName& path, const Pointer& root) { saveGraph(path, graph(root)); }

/// Refuses a graph, because a graph is no value.
template <detail::NamedGraph Root>
void save(const detail::PathName&, const Root&) {
    static_assert(!std::is_same_v<Root, Root>, "ferry::save: a graph is saved with ferry::saveGraph(path, root)");
}

/// Loads a saved structure, piece by piece. Errors: those of load.
template <class T>
Graph<T> loadGraph(const detail::PathName& path, GraphMemory memory = GraphMemory::Heap,
                   const ObjectFactory& factory = ObjectFactory::global()) {
    CheckpointReader file(path);
    file.require(FileKind::Graph, detail::graphTypeText<T>());
    detail::GraphReader<T> reader(memory, factory);
    try {
        detail::FilePieces pieces(file);
        for (auto ints = pieces.next(); !ints.empty(); ints = pieces.next()) reader.read(ints, false, file.intsLeft());
        reader.read({}, true);
    } catch (const SerializationError&) {
        detail::rethrowFromPieces(file);
    }
    return reader.take();
}

}    // namespace ferry
