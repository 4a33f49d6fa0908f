#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>
#include <ferry/serialization/ints/ReadLimits.hpp>
#include <ferry/serialization/ints/SoleOwner.hpp>
#include <ferry/serialization/reference/ReferenceReader.hpp>

namespace ferry::detail {

/// The number of ints that follow in a graph is unknown.
inline constexpr std::uint64_t UnknownIntsBehind = std::uint64_t{1} << 62;

/// The part of GraphReader that does not depend on the root.
class GraphPieces {
public:
    GraphPieces(GraphMemory memory, const ObjectFactory& factory) : factory_(factory), references_(memory) {}
    /// The graph is a value in a message. It may take what the reader of the message has left.
    /// viewed: the objects of its class travel by it; null: all objects travel whole.
    GraphPieces(GraphMemory memory, IntReader& around, const PointeeType* viewed)
        : factory_(around.factory()),
          around_(&around),
          references_(memory, viewed) {}

    template <class ReadRoot>
    void read(std::span<const std::int32_t> chunk, bool isLast, std::uint64_t intsBehind, const ReadRoot& readRoot) {
        IntReader in(chunk, factory_, limits());
        beginPiece(in, isLast ? 0 : intsBehind);
        if (!hasRoot_) readRoot(in);
        hasRoot_ = true;
        readObjects(in, isLast);
        endPiece(in);
    }
    bool isComplete() const noexcept { return isComplete_; }
    SoleOwner<ReceivedObjects> takeObjects() noexcept { return references_.takeObjects(); }

private:
    void beginPiece(IntReader& in, std::uint64_t intsBehind);
    void readObjects(IntReader& in, bool isLast);
    void endPiece(const IntReader& in) noexcept;
    ReadLimits limits() const noexcept;

    const ObjectFactory& factory_;
    IntReader* around_ = nullptr;    ///< the reader of the message in which the graph is a value; null: the graph is no value
    ReferenceReader references_;
    std::size_t earlierInts_ = 0;            ///< ints of the earlier pieces
    std::uint64_t earlierRoomyBytes_ = 0;    ///< their roomy elements and objects
    bool hasRoot_ = false;
    bool isComplete_ = false;
};

/// Makes a graph from the pieces that GraphWriter has written. Reads them one after the other, as they arrive. Safe on any input.
///
/// Ownership: owns the objects until take(). A reader that is destroyed earlier destroys them.
/// Errors: SerializationError. The reader then cannot be used any more.
template <class T>
class GraphReader {
public:
    explicit GraphReader(GraphMemory memory = GraphMemory::Heap, const ObjectFactory& factory = ObjectFactory::global())
        : pieces_(memory, factory) {}
    /// Reads a graph that is a value in the message of this reader, which must outlive the GraphReader.
    explicit GraphReader(IntReader& around, const detail::PointeeType* viewed = nullptr) : pieces_(GraphMemory::Heap, around, viewed) {}

    /// Reads a piece. intsBehind: the most ints that follow in other pieces. No memory is allocated for objects that need more ints.
    void read(std::span<const std::int32_t> chunk, bool isLast, std::uint64_t intsBehind = detail::UnknownIntsBehind) {
        pieces_.read(chunk, isLast, intsBehind, [this](IntReader& in) { in >> root_; });
    }

    /// Whether the last piece has been read.
    bool isComplete() const noexcept { return pieces_.isComplete(); }

    /// The graph. To be called when it is complete.
    Graph<T> take() { return Graph<T>(root_, pieces_.takeObjects()); }

private:
    detail::GraphPieces pieces_;
    T* root_ = nullptr;
};

}    // namespace ferry::detail
