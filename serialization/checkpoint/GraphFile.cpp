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
    while (file_.next(piece_) == fileFormat::MaxChunkInts) {}    // the piece may continue in the next chunk
    return piece_.ints();
}

// In a truncated file, the missing objects are noticed before the end of the file: the remaining ints cannot hold them. So the rest of the
// file is read first, to report the truncation.
void rethrowFromPieces(CheckpointReader& file) {
    while (!file.next().empty()) {}
    rethrowFromFile(file);
}

}    // namespace ferry::detail
