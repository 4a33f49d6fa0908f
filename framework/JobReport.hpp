#pragma once

#include <exception>
#include <string>
#include <vector>

namespace ferry {

/// What a job says at its end: text for standard error when it has failed, and JSON for the file of --ferry-report.
class JobReport {
public:
    /// The failures with the cause first. The explanation says why the job was ended by force; empty: it ended in order.
    JobReport(int status, std::vector<std::exception_ptr> failures, std::string explanation = {});

    int status() const noexcept { return status_; }

    /// Whether the cause is the loss of a rank.
    bool isByLoss() const;

    /// Lines that begin with "ferry: " or are indented.
    std::string text() const;
    /// An object; docs/errors.md lists the names.
    std::string json() const;

    /// On standard error.
    void print() const;
    /// Writes the JSON to the file; nothing for an empty path. Several ranks may end the job at the same time: the first report stays. What
    /// goes wrong is said on standard error.
    void save(const std::string& path) const noexcept;
    /// At the beginning of a job: removes the report of an earlier one.
    static void removeOld(const std::string& path) noexcept;

private:
    int status_;
    std::vector<std::exception_ptr> failures_;
    std::string explanation_;
};

}    // namespace ferry
