#include <ferry/apps/timetabling/io/requireDistinctFiles.hpp>

#include <cstddef>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>

namespace timetabling {

namespace {

namespace fs = std::filesystem;

/// Returns the real place of a file, also of a file that does not exist yet.
/// When the place cannot be found out, returns the path as given: the reader or writer will report the error.
fs::path placeOf(const std::string& path) {
    std::error_code error;
    fs::path place = fs::weakly_canonical(fs::absolute(path, error), error);
    return error ? fs::path(path) : place;
}

bool isDeviceOrPipe(const std::string& path) {
    std::error_code error;
    return fs::is_other(fs::status(path, error));
}

bool isPartOf(const std::string& input, const fs::path& output) {
    std::error_code error;
    const fs::path place = placeOf(input);
    if (place == output) return true;
    return fs::is_directory(place, error) && output.parent_path() == place && output.extension() == ".csv";
}

}    // namespace

void requireDistinctFiles(const std::vector<std::string>& inputs, const std::vector<NamedOutput>& outputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const NamedOutput& output = outputs[i];
        if (output.path.empty() || isDeviceOrPipe(output.path)) continue;
        const fs::path place = placeOf(output.path);
        for (const std::string& input : inputs) {
            if (input.empty() || !isPartOf(input, place)) continue;
            std::error_code error;
            const char* const kind = fs::is_directory(place, error) ? "folder" : "file";
            throw InputError(output.path, fmt::format("this {0} is read, so {1} must name another {0}", kind, output.option));
        }
        for (std::size_t j = 0; j < outputs.size(); ++j) {
            if (j == i || outputs[j].path.empty()) continue;
            const fs::path other = placeOf(outputs[j].path);
            if (j < i && other == place)
                throw InputError(output.path, fmt::format("both {} and {} name this file: each needs a file of its own", outputs[j].option,
                                                          output.option));
            if (other == place.parent_path())
                throw InputError(output.path, fmt::format("this file lies in the folder that {} fills, so {} must name another place",
                                                          outputs[j].option, output.option));
        }
    }
}

}    // namespace timetabling
