#include <ferry/serialization/checkpoint/GraphFile.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <ferry/serialization/checkpoint/FileFormat.hpp>

namespace ferry::detail {

IntBuffer FileSink::begin() {
    chunk_.clear();
    return std::move(chunk_);
}

void FileSink::put(IntBuffer chunk, bool isLast) {
    putInChunks(file_, chunk, fileFormat::MaxChunkInts, isLast);
    chunk_ = std::move(chunk);
}

std::span<const std::int32_t> FilePieces::next() {
    piece_.clear();
    while (file_.next(piece_) == fileFormat::MaxChunkInts) {}    // the piece may go on in the next chunk
    return piece_.ints();
}

// That a part of the graph is missing shows before the end of a truncated file is reached, as its objects cannot be in what is left.
void rethrowFromPieces(CheckpointReader& file) {
    while (!file.next().empty()) {}
    rethrowFromFile(file);
}

}    // namespace ferry::detail
