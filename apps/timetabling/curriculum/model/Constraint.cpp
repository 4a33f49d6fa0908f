#include <ferry/apps/timetabling/curriculum/model/Constraint.hpp>

namespace timetabling::curriculum {

const char* nameOf(Constraint constraint) {
    switch (constraint) {
        case Constraint::Lectures: return "Lectures";
        case Constraint::Conflicts: return "Conflicts";
        case Constraint::Availability: return "Availability";
        case Constraint::RoomOccupancy: return "RoomOccupancy";
        case Constraint::RoomCapacity: return "RoomCapacity";
        case Constraint::MinWorkingDays: return "MinWorkingDays";
        case Constraint::CurriculumCompactness: return "CurriculumCompactness";
        case Constraint::RoomStability: return "RoomStability";
        case Constraint::Windows: return "Windows";
        case Constraint::DailyLoad: return "DailyLoad";
        case Constraint::TravelDistance: return "TravelDistance";
        case Constraint::DoubleLectures: return "DoubleLectures";
        case Constraint::RoomRequirement:
        case Constraint::RoomSuitability: return "RoomSuitability";
        case Constraint::TeacherGaps: return "TeacherGaps";
        case Constraint::TeacherDays: return "TeacherDays";
        case Constraint::TeacherLoad: return "TeacherLoad";
        case Constraint::TeacherRow: return "TeacherRow";
        case Constraint::TeacherLunch: return "TeacherLunch";
        case Constraint::LectureOrder: return "LectureOrder";
        case Constraint::WeeklyTime: return "WeeklyTime";
        case Constraint::StudentClashes: return "StudentClashes";
    }
    return "unknown";
}

int weightOf(Constraint constraint, const Weights& weights) {
    switch (constraint) {
        case Constraint::RoomRequirement: return weights.isRoomSuitabilityHard ? 1 : 0;
        case Constraint::RoomCapacity: return weights.roomCapacity;
        case Constraint::MinWorkingDays: return weights.minWorkingDays;
        case Constraint::CurriculumCompactness: return weights.compactness;
        case Constraint::RoomStability: return weights.roomStability;
        case Constraint::Windows: return weights.windows;
        case Constraint::DailyLoad: return weights.dailyLoad;
        case Constraint::TravelDistance: return weights.travelDistance;
        case Constraint::DoubleLectures: return weights.doubleLectures;
        case Constraint::RoomSuitability: return weights.roomSuitability;
        case Constraint::TeacherGaps: return weights.teacherGaps;
        case Constraint::TeacherDays: return weights.teacherDays;
        case Constraint::TeacherLoad: return weights.teacherLoad;
        case Constraint::TeacherRow: return weights.teacherRow;
        case Constraint::TeacherLunch: return weights.teacherLunch;
        case Constraint::LectureOrder: return weights.lectureOrder;
        case Constraint::WeeklyTime: return weights.weeklyTime;
        case Constraint::StudentClashes: return weights.studentClashes;
        default: return 1;
    }
}

std::vector<Constraint> constraintsOf(const Problem& problem) {
    std::vector<Constraint> constraints;
    for (std::size_t i = 0; i < ConstraintCount; ++i) {
        const auto constraint = static_cast<Constraint>(i);
        if (weightOf(constraint, problem.weights()) > 0) constraints.push_back(constraint);
    }
    return constraints;
}

}    // namespace timetabling::curriculum
