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

/// The numbers of this thread's writers that are not finished.
class WritersUnderWay {
public:
    /// Null while and after exit() destroys the objects of this thread: the rank still packs its last report then.
    static std::vector<std::uint32_t>* here() {
        if (isGone) return nullptr;
        static thread_local WritersUnderWay writers;
        return &writers.numbers_;
    }
    ~WritersUnderWay() { isGone = true; }

private:
    WritersUnderWay() = default;

    static constinit thread_local bool isGone;
    std::vector<std::uint32_t> numbers_;
};
constinit thread_local bool WritersUnderWay::isGone = false;

}    // namespace

MarkingWriter::MarkingWriter() : number_(nextWriter()) {
    if (std::vector<std::uint32_t>* writers = WritersUnderWay::here()) writers->push_back(number_);
}

MarkingWriter::~MarkingWriter() {
    if (std::vector<std::uint32_t>* writers = WritersUnderWay::here()) std::erase(*writers, number_);
}

void MarkingWriter::requireFree(std::uint32_t mark) const {
    const std::vector<std::uint32_t>* writers = WritersUnderWay::here();
    if (writers == nullptr || writers->size() < 2 || std::find(writers->begin(), writers->end(), mark) == writers->end()) return;
    failUsage(
        "an object is in two graphs that are sent at the same time, and has room for the mark of one (ferry::MarkMap): wait for the first, "
        "or use the "
        "map that needs no marks");
}

}    // namespace ferry::detail
