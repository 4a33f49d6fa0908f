#include <ferry/apps/timetabling/sectioning/report/SectioningPresenter.hpp>

#include <cstddef>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>
#include <ferry/apps/timetabling/sectioning/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/sectioning/io/timeSpanText.hpp>
#include <ferry/apps/timetabling/sectioning/model/Evaluation.hpp>
#include <ferry/apps/timetabling/sectioning/report/examineSections.hpp>

namespace timetabling::sectioning {

namespace {

TimetableView viewOf(const Problem& problem, const Solution& solution) {
    TimetableView view;
    view.name = problem.instance().name;
    view.examination = examineSections(problem, solution);
    return view;
}

}    // namespace

std::string SectioningPresenter::problemLine() const {
    const Instance& instance = problem_.instance();
    return fmt::format("{}: {} classes of {} courses, {} rooms, {} students, {} distributions, {} weeks, rules of ITC-2019",
                       printable(instance.name), instance.classes.size(), instance.courses.size(), instance.rooms.size(),
                       instance.students.size(), instance.distributions.size(), instance.weekCount);
}

Examination SectioningPresenter::examine(const Slots& slots) const { return examineSections(problem_, toSolution(problem_, slots)); }

Examination SectioningPresenter::examine(const std::string& solutionFile) const {
    return examineSections(problem_, readSolution(solutionFile, problem_));
}

TimetableView SectioningPresenter::view(const Slots& slots) const { return viewOf(problem_, toSolution(problem_, slots)); }

TimetableView SectioningPresenter::view(const std::string& solutionFile) const {
    return viewOf(problem_, readSolution(solutionFile, problem_));
}

Slots SectioningPresenter::slotsOf(const std::string& solutionFile) const {
    return toSlots(problem_, readSolution(solutionFile, problem_));
}

std::string SectioningPresenter::solutionFile(const Slots& slots) const { return writeSolution(problem_, toSolution(problem_, slots)); }

std::string SectioningPresenter::jsonDocument(const Slots& slots) const {
    using Json = nlohmann::ordered_json;
    const Instance& instance = problem_.instance();
    const Solution solution = toSolution(problem_, slots);
    const Score score = scoreOf(problem_, solution);
    Json report;
    report["instance"] = instance.name;
    report["feasible"] = score.isFeasible();
    report["violations"] = score.violations();
    report["cost"] = score.cost(instance.weights);
    for (std::size_t i = 0; i < score.hard.size(); ++i) report["breakdown"][nameOf(static_cast<HardConstraint>(i))] = score.hard[i];
    for (std::size_t i = 0; i < score.required.size(); ++i) {
        if (score.required[i] > 0)
            report["breakdown"][fmt::format("Required{}", nameOf(static_cast<DistributionType>(i)))] = score.required[i];
    }
    report["sums"] = {{"time", score.time}, {"room", score.room}, {"distribution", score.distribution}, {"student", score.student}};
    report["classes"] = Json::array();
    const std::vector<std::vector<int>> students = studentsOfClasses(problem_, solution);
    for (int index = 0; index < problem_.classCount(); ++index) {
        const auto at = static_cast<std::size_t>(index);
        const Class& one = problem_.classAt(index);
        Json object;
        object["class"] = one.id;
        if (solution.times[at] >= 0) {
            const TimeSpan& span = one.times[static_cast<std::size_t>(solution.times[at])].span;
            object["days"] = bitsText(span.days, instance.dayCount);
            object["weeks"] = bitsText(span.weeks, instance.weekCount);
            object["start"] = span.start;
            object["length"] = span.length;
        }
        if (solution.rooms[at] >= 0)
            object["room"] = instance.rooms[static_cast<std::size_t>(one.rooms[static_cast<std::size_t>(solution.rooms[at])].room)].id;
        object["students"] = Json::array();
        for (const int student : students[at]) object["students"].push_back(instance.students[static_cast<std::size_t>(student)].id);
        report["classes"].push_back(std::move(object));
    }
    report["explanation"] = Json::array();
    for (const Remark& remark : remarksOn(problem_, solution)) {
        report["explanation"].push_back(
            {{"constraint", remark.constraint}, {"hard", remark.isHard}, {"amount", remark.amount}, {"text", remark.text}});
    }
    constexpr int indentColumns = 2;
    return report.dump(indentColumns, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string SectioningPresenter::csvTable(const Slots& slots) const {
    const Instance& instance = problem_.instance();
    const Solution solution = toSolution(problem_, slots);
    const std::vector<std::vector<int>> students = studentsOfClasses(problem_, solution);
    std::string text = csvLine({"course", "class", "days", "weeks", "start", "length", "room", "students"});
    for (int index = 0; index < problem_.classCount(); ++index) {
        const auto at = static_cast<std::size_t>(index);
        const Class& one = problem_.classAt(index);
        std::vector<std::string> cells{instance.courses[static_cast<std::size_t>(problem_.courseOf(index))].id, one.id};
        if (solution.times[at] >= 0) {
            const TimeSpan& span = one.times[static_cast<std::size_t>(solution.times[at])].span;
            cells.insert(cells.end(), {bitsText(span.days, instance.dayCount), bitsText(span.weeks, instance.weekCount),
                                       fmt::to_string(span.start), fmt::to_string(span.length)});
        } else {
            cells.insert(cells.end(), 4, "");
        }
        const int room = solution.rooms[at] < 0 ? -1 : one.rooms[static_cast<std::size_t>(solution.rooms[at])].room;
        cells.push_back(room < 0 ? "" : instance.rooms[static_cast<std::size_t>(room)].id);
        cells.push_back(fmt::to_string(students[at].size()));
        text += csvLine(cells);
    }
    return text;
}

std::vector<Calendar> SectioningPresenter::calendars(const Slots& /*slots*/) const { return {}; }

}    // namespace timetabling::sectioning
