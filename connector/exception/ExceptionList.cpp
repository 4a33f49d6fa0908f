#include <ferry/connector/exception/ExceptionList.hpp>

#include <string>
#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>

FERRY_EXCEPTION_DEFINED(ferry::ExceptionList)

namespace ferry {

namespace {

/// The depth of lists inside lists that this thread reads. Each level has a reader of its own, so no reader knows the depth.
class Depth {
public:
    Depth() noexcept { ++current; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    ~Depth() { --current; }

    static bool isExceeded() noexcept { return current > ExceptionList::MaxDepth; }

private:
    static thread_local int current;
};

thread_local int Depth::current = 0;

std::string textOf(const std::vector<Failure>& failures) {
    const Failure& first = failures.front();
    const std::string count = failures.size() == 1 ? "1 failure," : fmt::format("{} failures, first", failures.size());
    return fmt::format("{} on rank {}: {}", count, first.rank(), first.what());
}

}    // namespace

ExceptionList::ExceptionList(std::vector<detail::FailureRecord> records, const ObjectFactory& factory) {
    set(std::move(records), factory);
    setText(textOf(failures()));
    setOrigin(front().origin());
}

const ExceptionList::Contents& ExceptionList::contents() const noexcept {
    static const Contents& none = *new Contents;    // never destroyed: exit() on one rank leaves the others at work
    return contents_ ? *contents_ : none;
}

void ExceptionList::set(std::vector<detail::FailureRecord> records, const ObjectFactory& factory) {
    Contents contents;
    contents.records = std::move(records);
    detail::sortRecords(contents.records);
    for (const detail::FailureRecord& record : contents.records) contents.failures.emplace_back(record, factory);
    contents_ = std::make_shared<const Contents>(std::move(contents));
}

void ExceptionList::writeToInts(IntWriter& out) const { out << records(); }

void ExceptionList::readFromInts(IntReader& in) {
    const Depth depth;
    if (Depth::isExceeded()) in.failAt(in.cursor(), "lists of exceptions not so deep inside each other", MaxDepth);
    std::vector<detail::FailureRecord> records;
    in >> records;
    for (const detail::FailureRecord& record : records) {
        if (!detail::hasValidRanks(record))
            in.failAt(in.cursor(), "ascending ranks of a failure", static_cast<std::int64_t>(record.ranks.size()));
    }
    set(std::move(records), in.factory());
}

}    // namespace ferry
