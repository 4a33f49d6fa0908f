#pragma once

#include <cstdint>
#include <exception>
#include <vector>

#include <ferry/connector/exception/PackedException.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>

namespace ferry::detail {

/// A failure of a guarded region as it travels, with all ranks on which the same failure happened.
struct FailureRecord {
    std::int32_t rank = -1;             ///< the rank where the failure happened first
    std::vector<std::int32_t> ranks;    ///< ascending
    std::int32_t clock = 0;             ///< logical time of the throw on that rank
    PackedException exception;
    FERRY_FIELDS_DECLARED(rank, ranks, clock, exception)
};

/// Whether the ranks of the record are valid: ascending, not negative, and with the rank where the failure happened first.
bool hasValidRanks(const FailureRecord& record);

/// The records of an exception of a rank. An exception gives one record, with the rank where it was thrown first: an exception that came
/// from another rank is not this rank's failure. An ExceptionList gives the records of its failures.
std::vector<FailureRecord> recordsOf(const std::exception_ptr& exception, int rank, std::int32_t clock);

/// Adds records to the list. Records of the same failure become one.
void mergeRecords(std::vector<FailureRecord>& records, std::vector<FailureRecord> others);

/// Sorts records by logical time, so that a cause comes before its consequences. Records of equal times are sorted by rank.
void sortRecords(std::vector<FailureRecord>& records);

}    // namespace ferry::detail
