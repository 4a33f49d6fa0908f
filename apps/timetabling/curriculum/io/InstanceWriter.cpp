#include <ferry/apps/timetabling/curriculum/io/InstanceWriter.hpp>

#include <fmt/format.h>

namespace timetabling::curriculum {

std::string writeInstance(const Instance& instance) {
    std::string text;
    text += fmt::format("Name: {}\nCourses: {}\nRooms: {}\nDays: {}\nPeriods_per_day: {}\nCurricula: {}\nConstraints: {}\n", instance.name,
                        instance.courses.size(), instance.rooms.size(), instance.dayCount, instance.periodsPerDay,
                        instance.curricula.size(), instance.unavailabilities.size());
    text += "\nCOURSES:\n";
    for (const Course& course : instance.courses) {
        text += fmt::format("{} {} {} {} {}\n", course.id, course.teacher, course.lectureCount, course.minWorkingDays, course.studentCount);
    }
    text += "\nROOMS:\n";
    for (const Room& room : instance.rooms) text += fmt::format("{} {}\n", room.id, room.seatCount);
    text += "\nCURRICULA:\n";
    for (const Curriculum& curriculum : instance.curricula) {
        text += fmt::format("{} {}", curriculum.id, curriculum.courses.size());
        for (const int course : curriculum.courses) text += fmt::format(" {}", instance.courses[static_cast<std::size_t>(course)].id);
        text += "\n";
    }
    text += "\nUNAVAILABILITY_CONSTRAINTS:\n";
    for (const Unavailability& closed : instance.unavailabilities) {
        const std::string& course = instance.courses[static_cast<std::size_t>(closed.course)].id;
        text += fmt::format("{} {} {}\n", course, closed.day, closed.periodOfDay);
    }
    text += "\nEND.\n";
    return text;
}

}    // namespace timetabling::curriculum
