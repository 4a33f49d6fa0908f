#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/reference/ReferenceWriter.hpp>

namespace ferry {

/// Where the pieces of a graph go.
class ChunkSink {
public:
    /// A buffer to which the next piece is appended. It may hold ints of the sink's own.
    virtual IntBuffer begin() = 0;
    /// The buffer again, with the piece. The last one is empty only when the graph is.
    virtual void put(IntBuffer chunk, bool isLast) = 0;

protected:
    ~ChunkSink() = default;
};

/// Packs graphs in pieces, which can travel while the next is packed. Memory: a piece, and what it takes to know objects again.
///
/// Ownership: borrows the objects while it writes. Threads: one at a time.
/// Errors: what the sink and the objects throw; UsageError for pointers that cannot be told. The sink then misses its last piece.
class GraphWriter {
public:
    explicit GraphWriter(ChunkSink& sink) noexcept : sink_(sink) {}

    /// Writes one graph. The objects are written in the order of their first visit, without recursion.
    template <class T>
    void write(const GraphRoot<T>& graph) {
        begin(graph);
        while (!isComplete()) writePiece();
    }

    /// Begins a graph whose pieces are then written one by one. What was begun before is forgotten.
    template <class T>
    void begin(const GraphRoot<T>& graph) {
        detail::ReferenceWriter& references = references_.emplace();
        chunkInts_ = graph.chunkBytes / sizeof(std::int32_t);
        chunk_ = sink_.begin();
        IntWriter out(chunk_);
        out.setReferences(&references);
        Codec<const T*>::write(out, graph.root);
    }

    /// Whether the last piece of what was begun has been written.
    bool isComplete() const noexcept { return !references_; }
    void writePiece();

private:
    ChunkSink& sink_;
    std::optional<detail::ReferenceWriter> references_;    // while a graph is under way
    IntBuffer chunk_;
    std::size_t chunkInts_ = 0;
};

}    // namespace ferry
