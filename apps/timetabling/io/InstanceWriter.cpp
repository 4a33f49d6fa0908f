#include <ferry/apps/timetabling/io/InstanceWriter.hpp>

#include <iterator>

#include <fmt/format.h>

namespace timetabling {

std::string writeInstance(const Instance& instance) {
    std::string text;
    auto out = std::back_inserter(text);
    fmt::format_to(out, "Name: {}\nCourses: {}\nRooms: {}\nDays: {}\nPeriods_per_day: {}\nCurricula: {}\nConstraints: {}\n", instance.name,
                   instance.courses.size(), instance.rooms.size(), instance.dayCount, instance.periodsPerDay, instance.curricula.size(),
                   instance.unavailabilities.size());
    fmt::format_to(out, "\nCOURSES:\n");
    for (const Course& course : instance.courses) {
        fmt::format_to(out, "{} {} {} {} {}\n", course.id, course.teacher, course.lectureCount, course.minWorkingDays, course.studentCount);
    }
    fmt::format_to(out, "\nROOMS:\n");
    for (const Room& room : instance.rooms) fmt::format_to(out, "{} {}\n", room.id, room.seatCount);
    fmt::format_to(out, "\nCURRICULA:\n");
    for (const Curriculum& curriculum : instance.curricula) {
        fmt::format_to(out, "{} {}", curriculum.id, curriculum.courses.size());
        for (const int course : curriculum.courses) fmt::format_to(out, " {}", instance.courses[static_cast<std::size_t>(course)].id);
        fmt::format_to(out, "\n");
    }
    fmt::format_to(out, "\nUNAVAILABILITY_CONSTRAINTS:\n");
    for (const Unavailability& closed : instance.unavailabilities) {
        const std::string& course = instance.courses[static_cast<std::size_t>(closed.course)].id;
        fmt::format_to(out, "{} {} {}\n", course, closed.day, closed.periodOfDay);
    }
    fmt::format_to(out, "\nEND.\n");
    return text;
}

}    // namespace timetabling
