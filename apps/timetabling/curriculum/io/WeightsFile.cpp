#include <ferry/apps/timetabling/curriculum/io/WeightsFile.hpp>

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/apps/timetabling/curriculum/model/Constraint.hpp>
#include <ferry/apps/timetabling/io/CsvReader.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/InputProblems.hpp>
#include <ferry/apps/timetabling/io/closestName.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>

namespace timetabling::curriculum {

namespace {

struct Weighted {
    Constraint constraint;
    int Weights::*weight;
};

constexpr std::array<Weighted, 17> weighted{{{Constraint::RoomCapacity, &Weights::roomCapacity},
                                             {Constraint::MinWorkingDays, &Weights::minWorkingDays},
                                             {Constraint::CurriculumCompactness, &Weights::compactness},
                                             {Constraint::RoomStability, &Weights::roomStability},
                                             {Constraint::Windows, &Weights::windows},
                                             {Constraint::DailyLoad, &Weights::dailyLoad},
                                             {Constraint::TravelDistance, &Weights::travelDistance},
                                             {Constraint::DoubleLectures, &Weights::doubleLectures},
                                             {Constraint::RoomSuitability, &Weights::roomSuitability},
                                             {Constraint::TeacherGaps, &Weights::teacherGaps},
                                             {Constraint::TeacherDays, &Weights::teacherDays},
                                             {Constraint::TeacherLoad, &Weights::teacherLoad},
                                             {Constraint::TeacherRow, &Weights::teacherRow},
                                             {Constraint::TeacherLunch, &Weights::teacherLunch},
                                             {Constraint::LectureOrder, &Weights::lectureOrder},
                                             {Constraint::WeeklyTime, &Weights::weeklyTime},
                                             {Constraint::StudentClashes, &Weights::studentClashes}}};

/// Returns the name of a constraint without blanks and with small letters.
std::string plainName(std::string_view name) {
    std::string plain = foldedName(name);
    std::erase(plain, '_');
    return plain;
}

void readRow(const CsvReader& table, OwnWeights& own, std::set<std::string>& seen) {
    const std::string& name = table.text("constraint");
    std::vector<std::string> names;
    for (const Weighted& one : weighted) {
        names.emplace_back(nameOf(one.constraint));
        if (plainName(name) != plainName(names.back())) continue;
        if (!seen.insert(names.back()).second) table.fail("constraint", "each constraint once");
        const bool isHard = foldedName(table.text("weight")) == "hard";
        if (!isHard) {
            own.weights.*one.weight = table.number("weight", 0, limits::Weight);
        } else if (one.constraint == Constraint::RoomSuitability) {
            own.weights.isRoomSuitabilityHard = true;
        } else if (one.constraint == Constraint::RoomCapacity) {
            own.isRoomCapacityHard = true;
        } else {
            table.fail("weight", fmt::format("a whole number from 0 to {}", limits::Weight),
                       "; only RoomCapacity and RoomSuitability can be hard");
        }
        return;
    }
    for (const Constraint hard : {Constraint::Lectures, Constraint::Conflicts, Constraint::Availability, Constraint::RoomOccupancy}) {
        if (plainName(name) == plainName(nameOf(hard)))
            table.fail("constraint", "a soft constraint", "; this one is hard in any case, so leave the row out");
    }
    table.fail("constraint", fmt::format("a soft constraint ({})", fmt::join(names, ", ")), meantInstead(name, names));
}

}    // namespace

OwnWeights readWeights(TextFile file) {
    OwnWeights own;
    own.weights.roomCapacity = 0;
    std::set<std::string> seen;
    InputProblems problems;
    const std::string name = file.name();
    CsvReader table(std::move(file), {"constraint", "weight"});
    own.notes = table.notes();
    for (bool isMore = true; isMore;) {
        problems.attempt([&] {
            isMore = table.next();
            if (isMore) readRow(table, own, seen);
        });
    }
    if (seen.empty() && problems.count() == 0) problems.add(InputError(name, "expected a row below the head, found none"));
    if (own.isRoomCapacityHard && own.weights.roomSuitability > 0)
        problems.add(InputError(name,
                                "RoomCapacity is hard and RoomSuitability is not, which cannot be had together; make RoomSuitability hard "
                                "too, or give RoomCapacity a weight"));
    problems.throwIfAny();
    return own;
}

OwnWeights readWeights(const std::string& path) { return readWeights(TextFile::load(path)); }

std::string writeWeights(Formulation formulation) {
    const Weights weights = weightsOf(formulation);
    std::string text = csvLine({"constraint", "weight"});
    for (const Weighted& one : weighted) {
        const bool isHard = one.constraint == Constraint::RoomSuitability && weights.isRoomSuitabilityHard;
        text += csvLine({nameOf(one.constraint), isHard ? "hard" : fmt::to_string(weights.*one.weight)});
    }
    return text;
}

void setWeights(Instance& instance, const OwnWeights& own) {
    instance.weights = own.weights;
    instance.isRoomCapacityHard = own.isRoomCapacityHard;
    instance.notes.insert(instance.notes.end(), own.notes.begin(), own.notes.end());
}

}    // namespace timetabling::curriculum
