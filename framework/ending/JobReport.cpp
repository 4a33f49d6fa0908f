#include <ferry/framework/ending/JobReport.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/connector/exception/report/jsonText.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/ending/LastWords.hpp>
#include <ferry/framework/ending/ReportPrinter.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/PrintableText.hpp>
#include <ferry/serialization/file/FileDescriptor.hpp>
#include <ferry/serialization/file/FileError.hpp>
#include <ferry/serialization/file/FilePlace.hpp>
#include <ferry/serialization/file/OutputStream.hpp>
#include <ferry/serialization/file/QuietSignals.hpp>
#include <ferry/serialization/file/ReplacementFile.hpp>
#include <ferry/serialization/file/TextOutput.hpp>

namespace ferry::detail {

namespace {

/// Does not wait for a reader of standard error for ever, and takes no lock of it.
void sayUnwritten(const std::string& path, const std::exception& error) noexcept {
    try {
        const std::string reason = printable(error.what());
        const bool namesPath = reason.starts_with(printable(path));    // the text of a FileError begins with the path
        const std::string line =
            fmt::format("ferry: the report cannot be written to {}{}\n", namesPath ? "" : printable(path) + ": ", reason);
        OutputStream::writeTo(STDERR_FILENO, line, OutputStream::Short.forRoom);
    } catch (const std::exception&) {
        LastWords::say(-1, "the report cannot be written");
    }
}

bool isOfThisUser(const std::filesystem::path& file) {
    struct stat status {};
    return ::lstat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
}

/// Empties a file that cannot be removed. Returns whether that was possible.
bool makeEmpty(const std::filesystem::path& file) {
    const FileDescriptor old(::open(file.c_str(), O_WRONLY | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    return old.isOpen();
}

/// Writes the report. Several ranks of one job may write at the same time: the first report stays. Replaces the file of another user.
void writeReport(const FilePlace& place, const std::string& text) {
    try {
        ReplacementFile file(place.target, ReplacementFile::Flush::ToSystem);
        file.write(text);
        if (file.commitIfNoneIsThere()) return;
        std::error_code ignored;
        if (isOfThisUser(place.target) && std::filesystem::file_size(place.target, ignored) != 0) return;
        file.commit();
    } catch (const FileError& error) {
        if (error.errorNumber() == 0 || !isOfThisUser(place.target)) throw;
        // The folder takes no other file. prepare() has emptied an old report that it could not remove, so a text here comes from another
        // rank.
        std::error_code ignored;
        const bool hasText = std::filesystem::file_size(place.target, ignored) != 0;
        if (hasText && ::access(place.target.c_str(), W_OK) == 0) return;
        if (TextOutput::writeOver(place.target, text) != 0) throw;
    }
}

}    // namespace

JobReport::JobReport(int status, std::vector<std::exception_ptr> failures, std::string explanation)
    : status_(status),
      failures_(std::move(failures)),
      explanation_(std::move(explanation)) {}

bool JobReport::isByLoss() const { return !failures_.empty() && isLossFailure(failures_.front()); }

std::string JobReport::text() const {
    std::string text;
    if (!failures_.empty()) {
        text += isOfJob_ ? fmt::format("ferry: the job was stopped, every rank exits with status {}\n", status_)
                         : fmt::format("ferry: a rank ends by force, with status {}, and the job goes on without it\n", status_);
    }
    if (failures_.size() > mostFailuresApart) {
        std::vector<RanksFailure> failures;
        for (const std::exception_ptr& failure : failures_) failures.push_back({failure, {Thrown(failure).origin().rank}});
        text += reportOfMany(failures).substr(1) + "\n";
    } else {
        for (std::size_t i = 0; i < failures_.size(); ++i) text += fmt::format("  {}{}\n", i == 0 ? "" : "also ", report(failures_[i]));
    }
    if (!explanation_.empty()) text += fmt::format("ferry: {}: the {} is ended by force\n", explanation_, isOfJob_ ? "job" : "rank");
    return text;
}

std::string JobReport::json() const {
    nlohmann::ordered_json json{{"status", status_}, {"failures", nlohmann::ordered_json::array()}, {"endedByForce", nullptr}};
    for (const std::exception_ptr& failure : failures_) json["failures"].push_back(nlohmann::ordered_json::parse(reportJson(failure)));
    if (!explanation_.empty()) json["endedByForce"] = explanation_;
    return jsonText(json, 2) + '\n';
}

void JobReport::print() const noexcept {
    try {
        const std::string report = insist([this] { return text(); });
        if (printElsewhere(report)) return;
        QuietSignals quiet;    // the report's file is still to be written when nobody reads standard error any more
        if (std::fputs(report.c_str(), stderr) < 0 || std::fflush(stderr) != 0) quiet.noteError(errno);
    } catch (...) {
        LastWords::say(rankOfThisThread(), "the job was stopped, and there is no memory for its report",
                       failures_.empty() ? nullptr : failures_.front());
    }
}

void JobReport::printAtOnce() const noexcept {
    try {
        const std::string report = insist([this] { return text(); });
        if (!printElsewhere(report)) OutputStream::writeTo(STDERR_FILENO, report, OutputStream::Short.forRoom);
    } catch (...) {
        LastWords::say(rankOfThisThread(), "the job is ended by force, and there is no memory for its report",
                       failures_.empty() ? nullptr : failures_.front());
    }
}

void JobReport::save(const std::string& path) const noexcept {
    if (path.empty() || !isOfJob_) return;
    try {
        const FilePlace place = FilePlace::of(path);
        if (place.kind == FilePlace::Kind::Folder) throw FileError::ofOtherKind(FileProblem::CannotWrite, path, true);
        if (place.kind == FilePlace::Kind::Stream)
            return OutputStream(path, place, OutputStream::Short).write(insist([this] { return json(); }));
        writeReport(place, insist([this] { return json(); }));
    } catch (const std::exception& error) {
        sayUnwritten(path, error);
    }
}

std::shared_ptr<const OutputStream> JobReport::prepare(const std::string& path) noexcept {
    if (path.empty()) return nullptr;
    try {
        const FilePlace place = FilePlace::of(path);
        switch (place.kind) {
            case FilePlace::Kind::Folder: throw FileError::ofOtherKind(FileProblem::CannotWrite, path, true);
            case FilePlace::Kind::Stream: return std::make_shared<const OutputStream>(path, place, OutputStream::Short);
            case FilePlace::Kind::File: removeOld(path, place.target); break;
            case FilePlace::Kind::Nothing: static_cast<void>(ReplacementFile(place.target, ReplacementFile::Flush::ToSystem)); break;
        }
    } catch (const std::exception& error) {
        sayUnwritten(path, error);
    }
    return nullptr;
}

void JobReport::removeOld(const std::string& path, const std::filesystem::path& target) {
    if (::unlink(target.c_str()) == 0) {
        static_cast<void>(ReplacementFile(target, ReplacementFile::Flush::ToSystem));    // checks that a new report can be made here
        return;
    }
    const int error = errno;
    if (isOfThisUser(target) && makeEmpty(target)) return;
    throw FileError(
        FileProblem::CannotWrite, path,
        fmt::format("the file there is not the report of this job, and cannot be removed: {}", std::generic_category().message(error)),
        FileError::NoChunk);
}

}    // namespace ferry::detail
