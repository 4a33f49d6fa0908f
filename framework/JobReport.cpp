#include <ferry/framework/JobReport.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/connector/exception/Report.hpp>
#include <ferry/framework/ExitStatus.hpp>
#include <ferry/serialization/checkpoint/FileDescriptor.hpp>

namespace ferry {

namespace {

/// False when it cannot be written; true also when the file is there already.
bool writeFirst(const std::string& path, const std::string& text) {
    FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    std::error_code ignored;
    if (!file.isOpen() && errno == EEXIST) {
        if (std::filesystem::is_regular_file(path, ignored)) return true;
        file = FileDescriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));    // a terminal, a pipe
    }
    if (!file.isOpen()) return false;
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t count = ::write(file.number(), text.data() + done, text.size() - done);
        if (count < 0 && errno != EINTR) return false;
        if (count > 0) done += static_cast<std::size_t>(count);
    }
    return true;
}

}    // namespace

JobReport::JobReport(int status, std::vector<std::exception_ptr> failures, std::string explanation)
    : status_(status),
      failures_(std::move(failures)),
      explanation_(std::move(explanation)) {}

bool JobReport::isByLoss() const { return !failures_.empty() && isLossFailure(failures_.front()); }

std::string JobReport::text() const {
    std::string text;
    if (!failures_.empty()) text += fmt::format("ferry: the job was stopped, every rank exits with status {}\n", status_);
    for (std::size_t i = 0; i < failures_.size(); ++i) text += fmt::format("  {}{}\n", i == 0 ? "" : "also ", report(failures_[i]));
    if (!explanation_.empty()) text += fmt::format("ferry: {}: the job is ended by force\n", explanation_);
    return text;
}

std::string JobReport::json() const {
    nlohmann::ordered_json json{{"status", status_}, {"failures", nlohmann::ordered_json::array()}, {"endedByForce", nullptr}};
    for (const std::exception_ptr& failure : failures_) json["failures"].push_back(nlohmann::ordered_json::parse(reportJson(failure)));
    if (!explanation_.empty()) json["endedByForce"] = explanation_;
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

void JobReport::print() const {
    std::fputs(text().c_str(), stderr);
    std::fflush(stderr);
}

void JobReport::save(const std::string& path) const noexcept {
    if (path.empty()) return;
    try {
        if (!writeFirst(path, json()))
            fmt::print(stderr, "ferry: the report cannot be written to {}: {}\n", path, std::generic_category().message(errno));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ferry: the report cannot be written to %s: %s\n", path.c_str(), error.what());
    }
}

void JobReport::removeOld(const std::string& path) noexcept {
    std::error_code ignored;    // save() will say it
    if (!path.empty() && std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
}

}    // namespace ferry
