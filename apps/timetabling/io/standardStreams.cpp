#include <ferry/apps/timetabling/io/standardStreams.hpp>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/objects.hpp>

namespace timetabling {

void tell(std::string_view given) {
    const std::string text = ferry::detail::printable(given, ferry::detail::Lines::Several);    // names in the text come from files
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
    std::clearerr(stderr);
}

void tellNotes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) tell(fmt::format("timetabling: note: {}\n", printable(note, 1000)));
}

void printResult(std::string_view given) {
    const std::string text = ferry::detail::printable(given, ferry::detail::Lines::Several);    // names in the text come from files
    const bool isComplete = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (isComplete && std::fflush(stdout) == 0) return;
    const int code = errno;
    std::clearerr(stdout);
    throw InputError("standard output", "cannot be written: " + std::generic_category().message(code));
}

}    // namespace timetabling
