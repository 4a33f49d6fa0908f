#include <ferry/apps/timetabling/io/OutputFile.hpp>

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

}    // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
    std::error_code ignored;
    const bool isNew = !std::filesystem::exists(path_, ignored);
    open(path_, "ab");
    if (isNew) std::filesystem::remove(path_, ignored);
}

void OutputFile::write(std::string_view text) const {
    const File file = open(path_, "wb");
    const bool isComplete = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
    if (!isComplete || std::fflush(file.get()) != 0) failWith(path_, errno);
}

}    // namespace timetabling
