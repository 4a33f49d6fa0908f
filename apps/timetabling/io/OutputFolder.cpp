#include <ferry/apps/timetabling/io/OutputFolder.hpp>

#include <unistd.h>
#include <filesystem>
#include <system_error>
#include <utility>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/OutputFile.hpp>

namespace timetabling {

OutputFolder::OutputFolder(std::string path) : path_(std::move(path)) {
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    std::error_code unknown;    // of a path that leads nowhere, such as a link to itself: then the first error says why
    if (error && !std::filesystem::exists(path_, unknown)) throw InputError(path_, "cannot be made: " + error.message());
    if (!std::filesystem::is_directory(path_, unknown)) throw InputError(path_, "is no folder");
    if (::access(path_.c_str(), W_OK | X_OK) != 0) throw InputError(path_, "cannot be written to");
}

void OutputFolder::write(const std::string& name, std::string_view text) const {
    OutputFile((std::filesystem::path(path_) / name).string()).write(text);
}

}    // namespace timetabling
