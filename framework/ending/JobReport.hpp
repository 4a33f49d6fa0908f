#pragma once

#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <ferry/serialization/checkpoint/OutputStream.hpp>

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

    /// Prints the report on standard error. Without memory for it, prints one line that says so.
    void print() const noexcept;
    /// Prints it from a process that ends by force. It drops the text that no reader takes within a second.
    void printAtOnce() const noexcept;
    /// Writes the JSON to the file, at once and without waiting for others. An empty path: nothing. Several ranks may end the job at the
    /// same time: the first report stays. Failures are told on standard error.
    void save(const std::string& path) const noexcept;
    /// At the beginning of a job: removes the report of an earlier job. Says on standard error when no report can be written there. Opens a
    /// pipe or a device: its reader sees no end as long as the result lives.
    static std::shared_ptr<const OutputStream> prepare(const std::string& path) noexcept;

private:
    static void removeOld(const std::string& path, const std::filesystem::path& target);

    int status_;
    std::vector<std::exception_ptr> failures_;
    std::string explanation_;
};

}    // namespace ferry
