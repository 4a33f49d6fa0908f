#include <ferry/apps/timetabling/curriculum/io/FolderFiles.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/closestName.hpp>

namespace timetabling::curriculum {

namespace {

constexpr std::array<const char*, 12> tableNames{"week", "courses", "rooms",   "curricula", "closed", "unsuitable",
                                                 "days", "periods", "allowed", "teachers",  "order",  "enrolments"};

bool isKnownStem(const std::filesystem::path& file) {
    return std::find(tableNames.begin(), tableNames.end(), foldedName(file.stem().string())) != tableNames.end();
}

/// Whether the file belongs to the system, or is the lock of an office program.
bool isHidden(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    return name.starts_with('.') || name.starts_with("~$");
}

/// The files of the folder, by name. Errors: InputError.
std::vector<std::filesystem::path> entriesOf(const std::string& path) {
    std::vector<std::filesystem::path> entries;
    std::error_code error;
    for (std::filesystem::directory_iterator next(path, error), end; !error && next != end; next.increment(error)) {
        constexpr std::size_t mostEntries = 10'000;
        if (entries.size() >= mostEntries) throw InputError(path, fmt::format("expected at most {} files, found more", mostEntries));
        entries.push_back(next->path());
    }
    if (error) throw InputError(path, "cannot be read: " + error.message());
    std::sort(entries.begin(), entries.end());
    return entries;
}

}    // namespace

FolderFiles::FolderFiles(const std::string& path, InputProblems& problems, std::vector<std::string>& notes) {
    std::vector<std::string> names;
    for (const char* name : tableNames) names.push_back(std::string(name) + ".csv");
    std::vector<InputError> strangers;
    std::vector<std::string> leftOut;
    std::error_code error;
    for (const std::filesystem::path& entry : entriesOf(path)) {
        if (isHidden(entry)) continue;
        const std::string fileName = entry.filename().string();
        const std::string ending = foldedName(entry.extension().string());
        const std::string stem = foldedName(entry.stem().string());
        const bool isTable = ending == ".csv" || ending == ".tsv" || ending == ".txt";
        const bool isKnown = isKnownStem(entry);
        if (isTable && isKnown && !std::filesystem::is_directory(entry, error)) {
            const auto [other, isNew] = files_.try_emplace(stem, entry.string());
            if (!isNew)
                strangers.emplace_back(entry.string(), fmt::format("expected each table once, found also '{}'; take one of them away",
                                                                   printable(other->second)));
        } else if (ending == ".csv" || ending == ".tsv") {
            strangers.emplace_back(
                entry.string(),
                fmt::format("expected a table of an instance ({}), found '{}'{}; rename the file or take it out of the folder",
                            fmt::join(names, ", "), printable(fileName), meantInstead(fileName, names)));
        } else if (isKnown) {
            strangers.emplace_back(
                entry.string(),
                fmt::format("expected a table '{}.csv', found '{}'; save the sheet as 'CSV UTF-8', or take the file out of the folder",
                            stem, printable(fileName)));
        } else {
            leftOut.push_back(printable(fileName));
        }
    }
    if (files_.empty()) return;
    for (const InputError& stranger : strangers) problems.add(stranger);
    constexpr std::size_t mostNames = 5;
    if (leftOut.size() > mostNames) leftOut[mostNames] = fmt::format("and {} more", leftOut.size() - mostNames);
    leftOut.resize(std::min(leftOut.size(), mostNames + 1));
    if (!leftOut.empty()) notes.push_back(fmt::format("{}: no tables, so left out: {}", printable(path), fmt::join(leftOut, ", ")));
}

std::vector<std::string> tablesBeside(const std::string& path, const std::vector<std::string>& fileNames) {
    std::vector<std::string> others;
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) return others;
    for (const std::filesystem::path& entry : entriesOf(path)) {
        const std::string name = entry.filename().string();
        const std::string ending = foldedName(entry.extension().string());
        const bool isRead = !isHidden(entry) && (ending == ".csv" || ending == ".tsv" || isKnownStem(entry));
        if (isRead && std::find(fileNames.begin(), fileNames.end(), name) == fileNames.end()) others.push_back(name);
    }
    return others;
}

}    // namespace timetabling::curriculum
