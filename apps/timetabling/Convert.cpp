#include <ferry/apps/timetabling/Convert.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/apps/timetabling/curriculum/io/CsvFolder.hpp>
#include <ferry/apps/timetabling/curriculum/io/FolderFiles.hpp>
#include <ferry/apps/timetabling/curriculum/io/InstanceWriter.hpp>
#include <ferry/apps/timetabling/curriculum/io/PublishedFile.hpp>
#include <ferry/apps/timetabling/curriculum/io/csvTables.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/OutputFile.hpp>
#include <ferry/apps/timetabling/io/requireDistinctFiles.hpp>
#include <ferry/apps/timetabling/io/standardStreams.hpp>
#include <ferry/apps/timetabling/model/lowered.hpp>
#include <ferry/apps/timetabling/problem/AnyProblem.hpp>
#include <ferry/apps/timetabling/sectioning/io/InstanceWriter.hpp>

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
    if (!instance.roomClosings.empty())
        throw InputError(to, "the instance has rooms that are closed at times, which a .ctt or .ectt cannot hold; a folder of tables can");
    if (!instance.teacherLimits.empty() || !instance.orders.empty() || !instance.lunchPeriods.empty() || !instance.students.empty())
        throw InputError(to,
                         "the instance has limits of teachers, orders of courses, periods for lunch or students with courses, which a .ctt "
                         "or .ectt cannot hold; "
                         "a folder of tables can");
    std::map<std::string, std::string> courses;
    std::map<std::string, std::string> rooms;
    for (curriculum::Course& course : instance.courses) {
        joinWords(course.id, courses, to);
        if (!course.otherTeachers.empty())
            throw InputError(to, fmt::format("course {} has several teachers, which a .ctt or .ectt cannot hold; a folder of tables can",
                                             printable(course.id)));
    }
    for (curriculum::Room& room : instance.rooms) joinWords(room.id, rooms, to);
    std::replace(instance.name.begin(), instance.name.end(), ' ', '_');
    if (!instance.names.days.empty() || !instance.names.periods.empty() || !instance.names.offsets.empty())
        tell(
            fmt::format("timetabling: note: {}: the names of days and periods, and where the days are in calendars, are left out: a .ctt "
                        "or .ectt cannot hold them\n",
                        printable(to)));
    std::map<std::string, std::string> teachers;
    std::map<std::string, std::string> curricula;
    for (curriculum::Course& course : instance.courses) joinWords(course.teacher, teachers, to);
    for (curriculum::Curriculum& one : instance.curricula) joinWords(one.id, curricula, to);
    OutputFile(to).write(writeInstance(instance, format));
}

/// Refuses a folder with further tables, which would be read together with the new ones.
void writeFolder(const curriculum::Instance& instance, const std::string& to) {
    const std::vector<curriculum::NamedText> tables = writeCsvTables(instance);
    std::vector<std::string> names;
    for (const curriculum::NamedText& table : tables) names.push_back(table.fileName);
    const std::vector<std::string> others = curriculum::tablesBeside(to, names);
    if (!others.empty())
        throw InputError(to, fmt::format("expected a folder without tables of another instance, found {}; take these files away, or name "
                                         "another folder",
                                         printable(fmt::format("{}", fmt::join(others, ", ")), 1000)));
    std::error_code error;
    std::filesystem::create_directories(to, error);
    if (error) throw InputError(to, "cannot be made: " + error.message());
    for (const auto& [fileName, text] : tables) OutputFile((std::filesystem::path(to) / fileName).string()).write(text);
}

/// Writes the instance in the format that the name asks for.
void writeAs(const curriculum::Instance& instance, const std::string& to) {
    const std::string ending = std::filesystem::path(to).extension().string();
    if (!ending.empty() && ending != ".ctt" && ending != ".ectt" && !std::filesystem::is_directory(to))
        throw InputError(
            to, fmt::format("expected a name that ends in .ctt or .ectt, or the name of a folder without an ending, found the ending '{}'",
                            printable(ending)));
    if (ending == ".ctt") return writeText(instance, to, curriculum::InstanceFormat::Plain);
    if (ending == ".ectt") return writeText(instance, to, curriculum::InstanceFormat::Extended);
    writeFolder(instance, to);
}

/// The curriculum-based instance that a file has. path: the file, for the error.
template <class Any>
auto& requireCurriculum(Any& any, const std::string& path) {
    auto* instance = std::get_if<curriculum::Instance>(&any);
    if (instance == nullptr)
        throw InputError(path, fmt::format("expected a curriculum-based instance, found {}",
                                           hasSectioning(any) ? "one of ITC-2019" : "a post-enrolment one"));
    return *instance;
}

}    // namespace

void convertInstance(const std::string& from, const std::string& to) {
    requireDistinctFiles({from}, {{"convert", to}});
    const AnyInstance any = readAnyInstance(from);
    const auto* sections = std::get_if<sectioning::Instance>(&any);
    if (sections != nullptr && lowered(std::filesystem::path(to).extension().string()) == ".xml") {
        OutputFile(to).write(sectioning::writeInstance(*sections));
        return;
    }
    writeAs(requireCurriculum(any, from), to);
}

int disruptInstance(const DisruptOptions& options) {
    requireDistinctFiles({options.from, options.published}, {{"--out", options.to}});
    AnyInstance any = readAnyInstance(options.from);
    curriculum::Instance& instance = requireCurriculum(any, options.from);
    std::vector<curriculum::PublishedLecture> lectures;
    if (!options.published.empty()) lectures = curriculum::readPublished(options.published, curriculum::Problem(instance)).lectures;
    std::string text;
    for (const std::string& line : curriculum::disrupt(instance, lectures, options.disruption)) text += printable(line, 1000) + "\n";
    writeAs(instance, options.to);
    printResult(text);
    return 0;
}

}    // namespace timetabling
