#include <ferry/apps/timetabling/io/OutputFile.hpp>

#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/objects.hpp>

namespace timetabling {

namespace {

/// The cause without the name of the file, since the InputError already has the name.
std::string causeOf(const ferry::FileError& error, const std::string& path) {
    if (error.errorNumber() != 0) return std::generic_category().message(error.errorNumber());
    const std::string_view text = error.what();
    return std::string(text.starts_with(path + ": ") ? text.substr(path.size() + 2) : text);
}

[[noreturn]] void failWith(const std::string& path, const ferry::FileError& error) {
    throw InputError(path, "cannot be written: " + causeOf(error, path));
}

}    // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
    try {
        output_.emplace(path_);
    } catch (const ferry::FileError& error) {
        failWith(path_, error);
    }
}

void OutputFile::write(std::string_view text) const {
    try {
        output_->write(text);
    } catch (const ferry::FileError& error) {
        failWith(path_, error);
    }
}

}    // namespace timetabling
