#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <vector>

namespace ferry {

namespace detail {

/// The greatest number of exceptions of a chain that a report shows. For a longer chain it shows the outermost ones, and the number of the
/// others.
constexpr std::size_t maxReportedChain = 64;

/// Up to this number of failures, a report has the whole story of each. More failures are grouped.
constexpr std::size_t mostFailuresApart = 8;

/// A failure, and the ranks that have it.
struct RanksFailure {
    std::exception_ptr exception;
    std::vector<int> ranks;
};

/// Many failures on one page, in lines that begin with a line break and two spaces. Failures of one class, thrown at one place, are a
/// group. The groups stand in the order of their first failures. The first groups have the whole story of their first failure.
std::string reportOfMany(const std::vector<RanksFailure>& failures);

}    // namespace detail

/// The whole story of an exception as text of several lines. It has the class, place and text, the task, the context, and the stack of the
/// throw. Each nested cause follows in the same form. The report is the same on every rank, after any number of hops.
std::string report(const std::exception& exception);

/// The report of the exception behind the pointer; "no exception" for a null pointer.
std::string report(const std::exception_ptr& exception);

/// The report as JSON; docs/errors.md lists the names. Bytes that are no UTF-8 are replaced.
std::string reportJson(const std::exception& exception);

/// The report as JSON of the exception behind the pointer; "null" for a null pointer.
std::string reportJson(const std::exception_ptr& exception);

}    // namespace ferry
