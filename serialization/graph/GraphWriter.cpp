#include <ferry/serialization/graph/GraphWriter.hpp>

namespace ferry {

void GraphWriter::writeObjects(detail::ReferenceWriter& references, IntBuffer chunk, std::size_t chunkBytes) {
    const std::size_t chunkInts = chunkBytes / sizeof(std::int32_t);
    for (;;) {
        const std::size_t begin = chunk.size();
        {
            IntWriter out(chunk);
            out.setReferences(&references);
            do {
                if (!references.hasWaiting()) break;
                references.writeNext(out);
            } while (out.position() - begin < chunkInts);
        }
        const bool isLast = !references.hasWaiting();
        sink_.put(std::move(chunk), isLast);
        if (isLast) return;
        chunk = sink_.begin();
    }
}

}    // namespace ferry
