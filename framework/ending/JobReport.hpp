#pragma once

#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <ferry/serialization/file/OutputStream.hpp>

namespace ferry::detail {

/// The report at the end of a job. The report of a failed job is text for standard error, or for the program's own printer. The file of
/// --ferry-report gets the report of any job as JSON.
class JobReport {
public:
    /// The first failure is the cause. explanation: why the job was ended by force; empty: it ended in order.
    JobReport(int status, std::vector<std::exception_ptr> failures, std::string explanation = {});

    /// Makes this the report of one rank, which ends by force while the job goes on without it. Its text says so, and save() does nothing:
    /// the report of the job comes from the master.
    void limitToRank() noexcept { isOfJob_ = false; }

    int status() const noexcept { return status_; }

    /// Whether the cause is the loss of a rank.
    bool isByLoss() const;

    /// Lines that begin with "ferry: " or are indented.
    std::string text() const;
    /// A JSON object; docs/errors.md lists the names.
    std::string json() const;

    /// Prints the report on standard error. Without memory for it, prints one line that says so.
    void print() const noexcept;
    /// Prints the report from a process that ends by force. Text that no reader takes within a second is dropped.
    void printAtOnce() const noexcept;
    /// Writes the JSON to the file, at once and without waiting for other ranks. An empty path: does nothing. Several ranks may end the job
    /// at the same time: the first report stays. Errors: failures are printed on standard error.
    void save(const std::string& path) const noexcept;
    /// Removes the report of an earlier job at the beginning of a job. Prints a line on standard error when no report can be written there.
    /// Opens a path that is a pipe or a device: its reader sees no end of file as long as the returned object lives.
    static std::shared_ptr<const OutputStream> prepare(const std::string& path) noexcept;

private:
    static void removeOld(const std::string& path, const std::filesystem::path& target);

    int status_;
    std::vector<std::exception_ptr> failures_;
    std::string explanation_;
    bool isOfJob_ = true;
};

}    // namespace ferry::detail
