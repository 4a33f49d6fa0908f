#pragma once

#include <functional>
#include <string>

namespace ferry {

/// Sends the reports of failed jobs of this process to the function, in the place of standard error. A function that does nothing switches
/// reports off; an empty function prints to standard error again. Rank 0 calls the function, once for each job that fails.
///
/// Threads: may be called at any time. The function is called by the thread of rank 0. When a job ends by force, any thread calls it, and
/// the process ends right afterwards.
/// Errors: when the function throws, the report goes to standard error.
void setReportPrinter(std::function<void(const std::string& report)> printer);

namespace detail {

/// Gives the report to the function of setReportPrinter(). Returns whether that function has taken the report.
bool printElsewhere(const std::string& report) noexcept;

}    // namespace detail

}    // namespace ferry
