#pragma once

#include <string>
#include <variant>

#include <ferry/apps/timetabling/io/OutputFile.hpp>
#include <ferry/apps/timetabling/io/OutputFolder.hpp>
#include <ferry/apps/timetabling/report/TimetableView.hpp>

namespace timetabling {

/// Where a timetable goes as HTML, checked early: a name that ends in .html or .htm is one page, any other a folder of pages.
class HtmlTarget {
public:
    /// Errors: those of OutputFile and OutputFolder.
    explicit HtmlTarget(const std::string& path);

    /// Errors: InputError when something cannot be written.
    void write(const TimetableView& view) const;

private:
    std::variant<OutputFile, OutputFolder> place_;
};

}    // namespace timetabling
