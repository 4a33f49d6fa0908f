#include <ferry/apps/timetabling/report/CalendarFolder.hpp>

#include <unistd.h>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/OutputFile.hpp>

namespace timetabling {

CalendarFolder::CalendarFolder(std::string path, Term term, int periodsPerDay) : path_(std::move(path)), term_(std::move(term)) {
    if (term_.begin + periodsPerDay * term_.period > std::chrono::hours(24))
        throw InputError(path_, fmt::format("{} periods of {} minutes from {:02}:{:02} on do not fit into a day", periodsPerDay,
                                            term_.period.count(), term_.begin.count() / 60, term_.begin.count() % 60));
    if (term_.lecture > term_.period) throw InputError(path_, "a lecture takes longer than it is from one period to the next");
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    if (error) throw InputError(path_, "cannot be made: " + error.message());
    if (!std::filesystem::is_directory(path_)) throw InputError(path_, "is no folder");
    if (::access(path_.c_str(), W_OK | X_OK) != 0) throw InputError(path_, "cannot be written to");
}

void CalendarFolder::write(const std::vector<Calendar>& calendars) const {
    std::set<std::string> taken;
    for (const Calendar& calendar : calendars) {
        std::filesystem::path name = fileNameOf(calendar);
        const std::string stem = name.stem().string();
        for (int number = 2; !taken.insert(name.string()).second; ++number) name = fmt::format("{}-{}.ics", stem, number);
        OutputFile((std::filesystem::path(path_) / name).string()).write(writeCalendar(calendar, term_));
    }
}

}    // namespace timetabling
