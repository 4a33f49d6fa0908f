#include <ferry/serialization/graph/GraphWriter.hpp>

#include <utility>

namespace ferry::detail {

void GraphWriter::writePiece() {
    detail::ReferenceWriter& references = *references_;
    const std::size_t begin = chunk_.size();
    {
        IntWriter out(chunk_);
        out.setReferences(&references);
        do {
            if (!references.hasWaiting()) break;
            references.writeNext(out);
        } while (out.position() - begin < chunkInts_);
        out.requireReadable();
    }
    const bool isLast = !references.hasWaiting();
    sink_.put(std::move(chunk_), isLast);
    if (isLast) {
        references_.reset();
    } else {
        chunk_ = sink_.begin();
    }
}

}    // namespace ferry::detail
