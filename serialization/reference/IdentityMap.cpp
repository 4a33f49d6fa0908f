#include <ferry/serialization/reference/IdentityMap.hpp>

#include <algorithm>
#include <atomic>
#include <vector>

#include <ferry/serialization/ints/fail.hpp>

namespace ferry::detail {

namespace {

std::uint32_t nextWriter() noexcept {
    static std::atomic<std::uint32_t> last{0};
    std::uint32_t writer = ++last;
    if (writer == 0) writer = ++last;
    return writer;
}

std::vector<std::uint32_t>& writersUnderWay() {
    static thread_local std::vector<std::uint32_t> writers;
    return writers;
}

}    // namespace

MarkingWriter::MarkingWriter() : number_(nextWriter()) { writersUnderWay().push_back(number_); }

MarkingWriter::~MarkingWriter() { std::erase(writersUnderWay(), number_); }

void MarkingWriter::requireFree(std::uint32_t mark) const {
    const std::vector<std::uint32_t>& writers = writersUnderWay();
    if (writers.size() < 2 || std::find(writers.begin(), writers.end(), mark) == writers.end()) return;
    failUsage(
        "an object is in two graphs that are sent at the same time, and has room for the mark of one (ferry::MarkMap): wait for the first, "
        "or use the "
        "map that needs no marks");
}

}    // namespace ferry::detail
