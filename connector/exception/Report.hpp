#pragma once

#include <cstddef>
#include <exception>
#include <string>

namespace ferry {

/// The most causes that a report shows. For a longer chain it shows the outermost ones, and how many more there are.
constexpr std::size_t maxReportedChain = 64;

/// The whole story of an exception as text of several lines: class, place, text, the task, the context and the stack where it was thrown;
/// and the same for each nested cause. It is the same on every rank, however many hops the exception made.
std::string report(const std::exception& exception);

/// The report of the exception behind the pointer; "no exception" for a null pointer.
std::string report(const std::exception_ptr& exception);

/// The report as JSON; docs/errors.md lists the names. Bytes that are no UTF-8 are replaced.
std::string reportJson(const std::exception& exception);

/// The report as JSON of the exception behind the pointer; "null" for a null pointer.
std::string reportJson(const std::exception_ptr& exception);

}    // namespace ferry
