#include <ferry/apps/timetabling/Convert.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/io/CsvFolder.hpp>
#include <ferry/apps/timetabling/curriculum/io/InstanceWriter.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/OutputFile.hpp>
#include <ferry/apps/timetabling/io/requireDistinctFiles.hpp>
#include <ferry/apps/timetabling/problem/AnyProblem.hpp>

namespace timetabling {

namespace {

/// Replaces the blanks in the name. Refuses two names that become the same one.
void joinWords(std::string& name, std::map<std::string, std::string>& before, const std::string& file) {
    std::string joined = name;
    std::replace_if(
        joined.begin(), joined.end(), [](char symbol) { return symbol == ' ' || symbol == '\t'; }, '_');
    const auto [known, isNew] = before.try_emplace(joined, name);
    if (!isNew && known->second != name)
        throw InputError(file,
                         fmt::format("'{}' and '{}' would both become '{}'", printable(known->second), printable(name), printable(joined)));
    name = joined;
}

void writeText(curriculum::Instance instance, const std::string& to, curriculum::InstanceFormat format) {
    if (format == curriculum::InstanceFormat::Plain && needsExtendedFormat(instance))
        throw InputError(
            to, "the instance has buildings, double lectures, unsuitable rooms or daily limits, which a .ctt cannot hold; an .ectt can");
    std::map<std::string, std::string> teachers;
    std::map<std::string, std::string> curricula;
    for (curriculum::Course& course : instance.courses) joinWords(course.teacher, teachers, to);
    for (curriculum::Curriculum& one : instance.curricula) joinWords(one.id, curricula, to);
    OutputFile(to).write(writeInstance(instance, format));
}

void writeFolder(const curriculum::Instance& instance, const std::string& to) {
    std::error_code error;
    std::filesystem::create_directories(to, error);
    if (error) throw InputError(to, "cannot be made: " + error.message());
    for (const auto& [fileName, text] : writeCsvTables(instance)) OutputFile((std::filesystem::path(to) / fileName).string()).write(text);
}

}    // namespace

void convertInstance(const std::string& from, const std::string& to) {
    requireDistinctFiles({from}, {{"convert", to}});
    const AnyInstance any = readAnyInstance(from);
    const auto* instance = std::get_if<curriculum::Instance>(&any);
    if (instance == nullptr) throw InputError(from, "expected a curriculum-based instance, found a post-enrolment one");
    const std::string ending = std::filesystem::path(to).extension().string();
    if (ending == ".ctt") return writeText(*instance, to, curriculum::InstanceFormat::Plain);
    if (ending == ".ectt") return writeText(*instance, to, curriculum::InstanceFormat::Extended);
    writeFolder(*instance, to);
}

}    // namespace timetabling
