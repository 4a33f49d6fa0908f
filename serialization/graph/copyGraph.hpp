#pragma once

#include <utility>

#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphReader.hpp>
#include <ferry/serialization/graph/GraphWriter.hpp>

namespace ferry {

namespace detail {

/// Gives each piece to a reader as soon as it is written.
template <class T>
class CopyingSink final : public ChunkSink {
public:
    explicit CopyingSink(GraphReader<T>& reader) noexcept : reader_(reader) {}
    IntBuffer begin() override {
        chunk_.clear();
        return std::move(chunk_);
    }
    void put(IntBuffer chunk, bool isLast) override {
        reader_.read(chunk.ints(), isLast);
        chunk_ = std::move(chunk);
    }

private:
    GraphReader<T>& reader_;
    IntBuffer chunk_;
};

}    // namespace detail

/// Makes a deep copy of everything that is reached from the root: ferry::copyGraph(ferry::graph(root)).
template <class T>
Graph<T> copyGraph(const detail::GraphRoot<T>& graph, GraphMemory memory = GraphMemory::Heap) {
    detail::GraphReader<T> reader(memory);
    detail::CopyingSink<T> sink(reader);
    detail::GraphWriter(sink).write(graph);
    return reader.take();
}

/// Like the function above. root: a raw pointer, unique_ptr, shared_ptr or Graph.
template <class Pointer>
    requires(!detail::NamedGraph<Pointer>)
auto copyGraph(const Pointer& root, GraphMemory memory = GraphMemory::Heap) { return copyGraph(graph(root), memory); }

}    // namespace ferry
