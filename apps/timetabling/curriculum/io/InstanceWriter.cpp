#include <ferry/apps/timetabling/curriculum/io/InstanceWriter.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace timetabling::curriculum {

namespace {

std::string headerOf(const Instance& instance, bool isExtended) {
    const std::string sizes =
        fmt::format("Name: {}\nCourses: {}\nRooms: {}\nDays: {}\nPeriods_per_day: {}\nCurricula: {}\n", instance.name,
                    instance.courses.size(), instance.rooms.size(), instance.dayCount, instance.periodsPerDay, instance.curricula.size());
    if (!isExtended) return sizes + fmt::format("Constraints: {}\n", instance.unavailabilities.size());
    return sizes + fmt::format("Min_Max_Daily_Lectures: {} {}\nUnavailabilityConstraints: {}\nRoomConstraints: {}\n",
                               instance.minDailyLectures, instance.maxDailyLectures, instance.unavailabilities.size(),
                               instance.roomConstraints.size());
}

}    // namespace

std::string writeInstance(const Instance& instance, InstanceFormat format) {
    const bool isExtended = format == InstanceFormat::Extended;
    const auto courseId = [&](int course) -> const std::string& { return instance.courses[static_cast<std::size_t>(course)].id; };
    std::string text = headerOf(instance, isExtended) + "\nCOURSES:\n";
    for (const Course& course : instance.courses) {
        text += fmt::format("{} {} {} {} {}", course.id, course.teacher, course.lectureCount, course.minWorkingDays, course.studentCount);
        text += isExtended ? fmt::format(" {}\n", course.wantsDoubleLectures ? 1 : 0) : "\n";
    }
    text += "\nROOMS:\n";
    for (const Room& room : instance.rooms)
        text += isExtended ? fmt::format("{} {} {}\n", room.id, room.seatCount, room.building)
                           : fmt::format("{} {}\n", room.id, room.seatCount);
    text += "\nCURRICULA:\n";
    for (const Curriculum& curriculum : instance.curricula) {
        text += fmt::format("{} {}", curriculum.id, curriculum.courses.size());
        for (const int course : curriculum.courses) text += fmt::format(" {}", courseId(course));
        text += "\n";
    }
    text += "\nUNAVAILABILITY_CONSTRAINTS:\n";
    for (const Unavailability& closed : instance.unavailabilities)
        text += fmt::format("{} {} {}\n", courseId(closed.course), closed.day, closed.periodOfDay);
    if (isExtended) {
        text += "\nROOM_CONSTRAINTS:\n";
        for (const RoomConstraint& unsuitable : instance.roomConstraints)
            text += fmt::format("{} {}\n", courseId(unsuitable.course), instance.rooms[static_cast<std::size_t>(unsuitable.room)].id);
    }
    return text + "\nEND.\n";
}

bool needsExtendedFormat(const Instance& instance) {
    const bool hasBuildings =
        std::any_of(instance.rooms.begin(), instance.rooms.end(), [](const Room& room) { return room.building != 0; });
    const bool hasDoubles =
        std::any_of(instance.courses.begin(), instance.courses.end(), [](const Course& course) { return course.wantsDoubleLectures; });
    const Instance usual;
    return hasBuildings || hasDoubles || !instance.roomConstraints.empty() || instance.minDailyLectures != usual.minDailyLectures ||
           instance.maxDailyLectures != usual.maxDailyLectures;
}

}    // namespace timetabling::curriculum
