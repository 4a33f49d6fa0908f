#include <ferry/apps/timetabling/report/HtmlTarget.hpp>

#include <filesystem>

#include <ferry/apps/timetabling/model/lowered.hpp>
#include <ferry/apps/timetabling/report/page/OnePage.hpp>
#include <ferry/apps/timetabling/report/page/PageFolder.hpp>

namespace timetabling {

namespace {

std::variant<OutputFile, OutputFolder> open(const std::string& path) {
    const std::string ending = lowered(std::filesystem::path(path).extension().string());
    if (ending == ".html" || ending == ".htm") return OutputFile(path);
    return OutputFolder(path);
}

}    // namespace

HtmlTarget::HtmlTarget(const std::string& path) : place_(open(path)) {}

void HtmlTarget::write(const TimetableView& view) const {
    if (const auto* file = std::get_if<OutputFile>(&place_)) {
        file->write(writeOnePage(view));
    } else {
        writePages(view, std::get<OutputFolder>(place_));
    }
}

}    // namespace timetabling
