#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/reference/ReferenceWriter.hpp>

namespace ferry::detail {

/// Receives the pieces of a graph.
class ChunkSink {
public:
    /// Returns a buffer to which the next piece is appended. The buffer may already hold ints of the sink.
    virtual IntBuffer begin() = 0;
    /// Takes the buffer back, with the piece. The last piece is empty only for an empty graph.
    virtual void put(IntBuffer chunk, bool isLast) = 0;

protected:
    ~ChunkSink() = default;
};

/// Writes graphs in pieces. A piece can travel while the next one is written. Memory: one piece, and the table that recognises objects.
///
/// Ownership: borrows the objects while it writes.
/// Threads: one at a time.
/// Errors: the errors of the sink and the objects; UsageError for ambiguous pointers. The sink then does not get the last piece.
class GraphWriter {
public:
    explicit GraphWriter(ChunkSink& sink) noexcept : sink_(sink) {}

    /// Writes one graph. The objects are written in the order of their first visit, without recursion.
    template <class T>
    void write(const GraphRoot<T>& graph, const PointeeType* viewed = nullptr) {
        begin(graph, viewed);
        while (!isComplete()) writePiece();
    }

    /// Begins a graph. writePiece() then writes its pieces one by one. A graph that was begun before is forgotten.
    template <class T>
    void begin(const GraphRoot<T>& graph, const PointeeType* viewed = nullptr) {
        detail::ReferenceWriter& references = references_.emplace();
        references.setViewed(viewed);
        if constexpr (Codec<const T*>::isWritable) references.setRoot(graph.root);
        chunkInts_ = graph.chunkBytes / sizeof(std::int32_t);
        chunk_ = sink_.begin();
        IntWriter out(chunk_);
        out.setReferences(&references);
        Codec<const T*>::write(out, graph.root);
    }

    /// Whether the last piece of the current graph has been written.
    bool isComplete() const noexcept { return !references_; }
    void writePiece();

private:
    ChunkSink& sink_;
    std::optional<detail::ReferenceWriter> references_;    // set while a graph is being written
    IntBuffer chunk_;
    std::size_t chunkInts_ = 0;
};

}    // namespace ferry::detail
