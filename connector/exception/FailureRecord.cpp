#include <ferry/connector/exception/FailureRecord.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/Thrown.hpp>

FERRY_FIELDS_DEFINED(ferry::detail::FailureRecord)

namespace ferry::detail {

namespace {

bool happenedBefore(const FailureRecord& left, const FailureRecord& right) {
    // After the greatest logical time the times start again from the beginning.
    const auto difference = static_cast<std::int32_t>(static_cast<std::uint32_t>(left.clock) - static_cast<std::uint32_t>(right.clock));
    return difference != 0 ? difference < 0 : left.rank < right.rank;
}

std::vector<std::int32_t> unionOf(const std::vector<std::int32_t>& left, const std::vector<std::int32_t>& right) {
    std::vector<std::int32_t> both;
    std::set_union(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
    return both;
}

void mergeRecord(std::vector<FailureRecord>& records, FailureRecord record) {
    const auto same = std::find_if(records.begin(), records.end(),
                                   [&](const FailureRecord& one) { return one.exception.tellsTheSameAs(record.exception); });
    if (same == records.end()) {
        records.push_back(std::move(record));
        return;
    }
    std::vector<std::int32_t> ranks = unionOf(same->ranks, record.ranks);
    if (happenedBefore(record, *same)) *same = std::move(record);
    same->ranks = std::move(ranks);
}

}    // namespace

bool hasValidRanks(const FailureRecord& record) {
    const std::vector<std::int32_t>& ranks = record.ranks;
    const bool isAscending = std::adjacent_find(ranks.begin(), ranks.end(), std::greater_equal<>()) == ranks.end();
    return isAscending && !ranks.empty() && ranks.front() >= 0 && std::binary_search(ranks.begin(), ranks.end(), record.rank);
}

std::vector<FailureRecord> recordsOf(const std::exception_ptr& exception, int rank, std::int32_t clock) {
    const Thrown thrown(exception);
    const auto* list = dynamic_cast<const ExceptionList*>(thrown.own());
    if (list != nullptr && list->size() > 0) return list->records();
    const int thrownOn = thrown.isRemote() ? thrown.origin().rank : rank;
    const int first = thrownOn >= 0 ? thrownOn : rank;
    return {FailureRecord{first, {first}, clock, PackedException(exception)}};
}

void mergeRecords(std::vector<FailureRecord>& records, std::vector<FailureRecord> others) {
    for (FailureRecord& other : others) mergeRecord(records, std::move(other));
}

void sortRecords(std::vector<FailureRecord>& records) { std::sort(records.begin(), records.end(), happenedBefore); }

}    // namespace ferry::detail
