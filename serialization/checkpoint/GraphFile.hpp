#pragma once

#include <filesystem>
#include <string>
#include <type_traits>

#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/checkpoint/CheckpointWriter.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphReader.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/graph/GraphWriter.hpp>

namespace ferry {

namespace detail {

/// The name in files of graphs that are reached from a T. A root of the class hierarchy may be of any class.
template <class T>
std::string graphTypeText() {
    if constexpr (isObject<T>)
        return "object";
    else
        return typeTextOf<T>();
}

/// Writes the pieces of a graph to a file: each is a chunk, but for those that are longer than a chunk may be.
class FileSink final : public ChunkSink {
public:
    FileSink(const std::filesystem::path& path, const FileDescription& description) : file_(path, description) {}
    IntBuffer begin() override;
    void put(IntBuffer chunk, bool isLast) override;

private:
    CheckpointWriter file_;
    IntBuffer chunk_;    // its memory is used again
};

/// Hands out the pieces of a graph again, each with whole objects.
class FilePieces {
public:
    explicit FilePieces(CheckpointReader& file) : file_(file) {}
    /// The ints of the next piece, valid until the next call; none at the end.
    std::span<const std::int32_t> next();

private:
    CheckpointReader& file_;
    IntBuffer piece_;
};

/// In a handler of a SerializationError: throws what is wrong with the rest of the file, and that error when it is whole.
[[noreturn]] void rethrowFromPieces(CheckpointReader& file);

}    // namespace detail

/// Saves a structure of objects that point to each other (GraphRoot.hpp says which), packed piece by piece: saveGraph(path,
/// ferry::graph(root)). Memory: a piece, and what it takes to know objects again. The path names the whole old file or the whole new one,
/// whatever happens. Errors: FileError (CannotWrite); UsageError for pointers that cannot be told.
template <class T>
void saveGraph(const std::filesystem::path& path, const GraphRoot<T>& graph) {
    detail::FileSink sink(path, FileDescription::of(FileKind::Graph, detail::graphTypeText<T>()));
    GraphWriter(sink).write(graph);
}

/// Saves the graph that the root itself names: a raw pointer, unique_ptr or shared_ptr, or a Graph.
template <class Pointer>
    requires(!detail::NamedGraph<Pointer>)
void saveGraph(const std::filesystem::path& path, const Pointer& root) { saveGraph(path, graph(root)); }

/// A graph is no value.
template <detail::NamedGraph Root>
void save(const std::filesystem::path&, const Root&) {
    static_assert(!std::is_same_v<Root, Root>, "ferry::save: a graph is saved with ferry::saveGraph(path, root)");
}

/// Loads a structure that was saved, piece by piece. Errors: those of load.
template <class T>
Graph<T> loadGraph(const std::filesystem::path& path, GraphMemory memory = GraphMemory::Heap,
                   const ObjectFactory& factory = ObjectFactory::global()) {
    CheckpointReader file(path);
    file.require(FileKind::Graph, detail::graphTypeText<T>());
    GraphReader<T> reader(memory, factory);
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
