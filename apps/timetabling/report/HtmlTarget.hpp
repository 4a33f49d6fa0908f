#pragma once

#include <string>
#include <variant>

#include <ferry/apps/timetabling/io/OutputFile.hpp>
#include <ferry/apps/timetabling/io/OutputFolder.hpp>
#include <ferry/apps/timetabling/report/TimetableView.hpp>

namespace timetabling {

/// The place for a timetable as HTML, checked early. A name that ends in .html or .htm is one page, any other name is a folder of pages.
class HtmlTarget {
public:
    /// Errors: those of OutputFile and OutputFolder.
    explicit HtmlTarget(const std::string& path);

    /// Errors: InputError when a page cannot be written.
    void write(const TimetableView& view) const;

private:
    std::variant<OutputFile, OutputFolder> place_;
};

}    // namespace timetabling
