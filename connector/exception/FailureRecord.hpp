#pragma once

#include <cstdint>
#include <exception>
#include <vector>

#include <ferry/connector/exception/PackedException.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>

namespace ferry {

/// A failure in a guarded region as it travels, with all ranks on which the same happened.
struct FailureRecord {
    std::int32_t rank = -1;             ///< where it happened first
    std::vector<std::int32_t> ranks;    ///< ascending
    std::int32_t clock = 0;             ///< logical time, there
    PackedException exception;
    FERRY_FIELDS(rank, ranks, clock, exception)
};

/// Whether its ranks are ranks, ascending, and the one where it happened first is among them.
bool hasValidRanks(const FailureRecord& record);

/// The records of an exception. It has one record, of the rank where it was thrown first: an exception that came from another rank is not
/// this rank's failure. An ExceptionList has the records of its failures.
std::vector<FailureRecord> recordsOf(const std::exception_ptr& exception, int rank, std::int32_t clock);

/// Adds records to others, and makes one of those that tell the same.
void mergeRecords(std::vector<FailureRecord>& records, std::vector<FailureRecord> others);

/// By logical time, so that a cause comes before what it led to; where that is equal, by rank.
void sortRecords(std::vector<FailureRecord>& records);

}    // namespace ferry
