#include <ferry/apps/timetabling/io/OutputFile.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>

namespace timetabling {

namespace {

[[noreturn]] void failWith(const std::string& path, int code) {
    throw InputError(path, fmt::format("cannot be written: {}", std::generic_category().message(code)));
}

void fill(std::FILE* file, const std::string& path, std::string_view text) {
    const bool isComplete = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (!isComplete || std::fflush(file) != 0) failWith(path, errno);
}

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

/// A file beside the one that is meant, which takes its place when it is complete, and goes when it never is.
class Replacement {
public:
    explicit Replacement(const std::filesystem::path& target)
        : target_(target),
          path_(target.parent_path() / fmt::format(".{}.{}.partial", target.filename().string(), ::getpid())) {
        const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);    // less the umask
        if (descriptor < 0) return;
        file_.reset(::fdopen(descriptor, "wb"));
        if (!file_) {
            ::close(descriptor);
            ::unlink(path_.c_str());
        }
    }
    Replacement(const Replacement&) = delete;
    Replacement& operator=(const Replacement&) = delete;
    ~Replacement() {
        std::error_code ignored;
        if (file_) std::filesystem::remove(path_, ignored);
    }

    /// Whether there could be such a file.
    bool isOpen() const { return file_ != nullptr; }

    void write(const std::string& name, std::string_view text) {
        fill(file_.get(), name, text);
        std::error_code error;
        if (const auto old = std::filesystem::status(target_, error); std::filesystem::exists(old))
            std::filesystem::permissions(path_, old.permissions(), error);
        std::filesystem::rename(path_, target_, error);
        if (error) failWith(name, error.value());
        file_.reset();
    }

private:
    std::filesystem::path target_;
    std::filesystem::path path_;
    std::unique_ptr<std::FILE, Close> file_;    ///< null: there is none, or it is in its place
};

/// Where links lead to, though nothing may be there yet.
std::filesystem::path followLinks(const std::string& path) {
    constexpr int mostLinks = 40;
    std::filesystem::path target = path;
    std::error_code error;
    for (int i = 0; i < mostLinks && std::filesystem::is_symlink(target, error); ++i) {
        const std::filesystem::path next = std::filesystem::read_symlink(target, error);
        if (error) break;
        target = target.parent_path() / next;    // which is 'next' where that begins at the root
    }
    return target;
}

bool isFileOrNothing(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::file_type type = std::filesystem::status(path, error).type();
    return type == std::filesystem::file_type::regular || type == std::filesystem::file_type::not_found;
}

}    // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)), target_(followLinks(path_)) {
    std::error_code ignored;
    const bool isNew = !std::filesystem::exists(target_, ignored);
    std::unique_ptr<std::FILE, Close> file(std::fopen(path_.c_str(), "ab"));
    if (!file) failWith(path_, errno);
    if (isNew) std::filesystem::remove(target_, ignored);
    if (!isFileOrNothing(target_)) stream_ = std::move(file);
}

void OutputFile::write(std::string_view text) const {
    if (stream_) return fill(stream_.get(), path_, text);
    if (Replacement replacement(target_); replacement.isOpen()) return replacement.write(path_, text);
    const std::unique_ptr<std::FILE, Close> file(std::fopen(path_.c_str(), "wb"));
    if (!file) failWith(path_, errno);
    fill(file.get(), path_, text);
}

}    // namespace timetabling
