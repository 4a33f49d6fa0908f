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

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

File open(const std::string& path, const char* mode) {
    File file(std::fopen(path.c_str(), mode));
    if (!file) failWith(path, errno);
    return file;
}

void fill(const File& file, const std::string& path, std::string_view text) {
    const bool isComplete = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
    if (!isComplete || std::fflush(file.get()) != 0) failWith(path, errno);
}

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
        fill(file_, name, text);
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
    File file_;    ///< null: there is none, or it is in its place
};

/// Where links lead to, if that is a regular file or nothing yet; otherwise empty.
std::filesystem::path regularTarget(const std::string& path) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
    if (error) return {};
    const std::filesystem::file_type type = std::filesystem::status(target, error).type();
    return type == std::filesystem::file_type::regular || type == std::filesystem::file_type::not_found ? target : std::filesystem::path();
}

}    // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
    std::error_code ignored;
    const bool isNew = !std::filesystem::exists(path_, ignored);
    open(path_, "ab");
    if (isNew) std::filesystem::remove(path_, ignored);
}

void OutputFile::write(std::string_view text) const {
    if (const std::filesystem::path target = regularTarget(path_); !target.empty()) {
        if (Replacement replacement(target); replacement.isOpen()) {
            replacement.write(path_, text);
            return;
        }
    }
    fill(open(path_, "wb"), path_, text);
}

}    // namespace timetabling
