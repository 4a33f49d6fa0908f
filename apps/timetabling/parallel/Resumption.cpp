#include <ferry/apps/timetabling/parallel/Resumption.hpp>

#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/OutputFile.hpp>
#include <ferry/apps/timetabling/io/TextFile.hpp>
#include <ferry/apps/timetabling/io/standardStreams.hpp>

namespace timetabling {

namespace {

constexpr const char* instanceKey = "instance";
constexpr const char* secondsKey = "seconds";

}    // namespace

Resumption::Resumption(std::string solutionFile, std::string work)
    : solutionFile_(std::move(solutionFile)),
      work_(std::move(work)),
      path_(solutionFile_ + ".resume") {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path_, error)) return;
    const TextFile file = TextFile::load(path_);
    const auto document = nlohmann::json::parse(file.text(), nullptr, false);
    const bool isWhole = document.is_object() && document.contains(instanceKey) && document[instanceKey].is_string() &&
                         document.contains(secondsKey) && document[secondsKey].is_number();
    const double seconds = isWhole ? document[secondsKey].get<double>() : -1;
    if (!std::isfinite(seconds) || seconds < 0)
        throw InputError(path_, "expected what an earlier search has written; take the file away to begin anew");
    if (document[instanceKey].get<std::string>() != work_) {
        tell(fmt::format("timetabling: {} is of another instance; the search begins anew\n", printable(path_)));
        return;
    }
    isFound_ = true;
    spentSeconds_ = seconds;
}

bool Resumption::hasTimetable() const {
    std::error_code error;
    return isFound_ && std::filesystem::is_regular_file(solutionFile_, error);
}

void Resumption::note(double seconds) {
    const nlohmann::ordered_json document{{instanceKey, work_}, {secondsKey, spentSeconds_ + seconds}};
    try {
        OutputFile(path_).write(document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    } catch (const InputError& error) {
        if (!std::exchange(isToldOnce_, true)) tell(fmt::format("\ntimetabling: {}\n", error.what()));
    }
}

void Resumption::end() const {
    std::error_code error;
    std::filesystem::remove(path_, error);
}

}    // namespace timetabling
