#include <ferry/apps/timetabling/sectioning/io/SolutionFile.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/sectioning/io/timeSpanText.hpp>

namespace timetabling::sectioning {

namespace {

template <class Items>
std::unordered_map<std::string_view, int> indexOf(const Items& items) {
    std::unordered_map<std::string_view, int> index;
    for (std::size_t i = 0; i < items.size(); ++i) index.emplace(items[i].id, static_cast<int>(i));
    return index;
}

/// Reads a file element by element.
class SolutionReader {
public:
    SolutionReader(XmlFile& file, const Problem& problem)
        : file_(file),
          problem_(problem),
          classes_(indexOf(problem.instance().classes)),
          rooms_(indexOf(problem.instance().rooms)),
          students_(indexOf(problem.instance().students)) {}

    Solution read() {
        const XmlElement root = file_.root();
        if (root.name() != "solution")
            root.fail(
                fmt::format("expected a timetable of ITC-2019, whose first element is <solution>, found <{}>", printable(root.name())));
        const std::string name = root.text("name");
        if (name != problem_.instance().name)
            root.fail(fmt::format("expected a timetable of instance '{}', found one of '{}'", printable(problem_.instance().name),
                                  printable(name)));
        const auto classCount = static_cast<std::size_t>(problem_.classCount());
        solution_.times.assign(classCount, -1);
        solution_.rooms.assign(classCount, -1);
        solution_.classesOfStudents.resize(static_cast<std::size_t>(problem_.studentCount()));
        std::vector<bool> isSeen(classCount, false);
        root.forEach({"class"}, [&](const XmlElement& element) {
            const int index = find(element, "id", "class", classes_);
            if (isSeen[static_cast<std::size_t>(index)])
                element.fail(fmt::format("expected each class once, found '{}' twice", printable(element.text("id"))));
            isSeen[static_cast<std::size_t>(index)] = true;
            readClass(element, index);
        });
        return std::move(solution_);
    }

private:
    static int find(const XmlElement& element, const char* attribute, const char* kind,
                    const std::unordered_map<std::string_view, int>& index) {
        const std::string id = element.text(attribute);
        const auto found = index.find(id);
        if (found == index.end()) element.fail(fmt::format("expected a {} of the instance, found '{}'", kind, printable(id)));
        return found->second;
    }

    void readClass(const XmlElement& element, int index) {
        const Class& one = problem_.classAt(index);
        const auto at = static_cast<std::size_t>(index);
        const bool hasTime = element.attribute("days") || element.attribute("weeks") || element.attribute("start");
        if (hasTime) {
            const std::uint64_t days = readBits(element, "days", problem_.instance().dayCount);
            const std::uint64_t weeks = readBits(element, "weeks", problem_.instance().weekCount);
            const int start = element.number("start", 0, problem_.instance().slotsPerDay - 1);
            const auto found = std::find_if(one.times.begin(), one.times.end(), [&](const TimeOption& time) {
                return time.span.days == days && time.span.weeks == weeks && time.span.start == start;
            });
            if (found != one.times.end()) solution_.times[at] = static_cast<int>(found - one.times.begin());
        }
        if (element.attribute("room")) {
            const int room = find(element, "room", "room", rooms_);
            const auto found =
                std::find_if(one.rooms.begin(), one.rooms.end(), [room](const RoomOption& option) { return option.room == room; });
            if (found != one.rooms.end()) solution_.rooms[at] = static_cast<int>(found - one.rooms.begin());
        }
        element.forEach({"student"}, [&](const XmlElement& member) {
            std::vector<int>& classes = solution_.classesOfStudents[static_cast<std::size_t>(find(member, "id", "student", students_))];
            if (!classes.empty() && classes.back() == index)    // the classes come one after the other
                member.fail(fmt::format("expected each student once in a class, found '{}' twice", printable(member.text("id"))));
            if (classes.size() >= limits::ClassesOfStudent)
                member.fail(fmt::format("expected at most {} classes of a student, found more", limits::ClassesOfStudent));
            classes.push_back(index);
        });
    }

    XmlFile& file_;
    const Problem& problem_;
    std::unordered_map<std::string_view, int> classes_;
    std::unordered_map<std::string_view, int> rooms_;
    std::unordered_map<std::string_view, int> students_;
    Solution solution_;
};

}    // namespace

Solution readSolution(const std::string& path, const Problem& problem) { return readSolution(XmlFile::load(path), problem); }

Solution readSolution(XmlFile file, const Problem& problem) { return SolutionReader(file, problem).read(); }

std::string writeSolution(const Problem& problem, const Solution& solution) {
    const Instance& instance = problem.instance();
    std::string text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<!DOCTYPE solution PUBLIC \"-//ITC 2019//DTD Problem Format/EN\" \"http://www.itc2019.org/competition-format.dtd\">\n";
    text += fmt::format("<solution name=\"{}\" technique=\"Annealing of a population, Ferry\">\n", escapedForXml(instance.name));
    const std::vector<std::vector<int>> students = studentsOfClasses(problem, solution);
    for (int index = 0; index < problem.classCount(); ++index) {
        const auto at = static_cast<std::size_t>(index);
        const Class& one = problem.classAt(index);
        if (solution.times[at] < 0) continue;
        const TimeSpan& span = one.times[static_cast<std::size_t>(solution.times[at])].span;
        text += fmt::format("  <class id=\"{}\" days=\"{}\" start=\"{}\" weeks=\"{}\"", escapedForXml(one.id),
                            bitsText(span.days, instance.dayCount), span.start, bitsText(span.weeks, instance.weekCount));
        if (solution.rooms[at] >= 0) {
            const int room = one.rooms[static_cast<std::size_t>(solution.rooms[at])].room;
            text += fmt::format(" room=\"{}\"", escapedForXml(instance.rooms[static_cast<std::size_t>(room)].id));
        }
        text += students[at].empty() ? "/>\n" : ">\n";
        for (const int student : students[at])
            text += fmt::format("    <student id=\"{}\"/>\n", escapedForXml(instance.students[static_cast<std::size_t>(student)].id));
        if (!students[at].empty()) text += "  </class>\n";
    }
    return text + "</solution>\n";
}

}    // namespace timetabling::sectioning
