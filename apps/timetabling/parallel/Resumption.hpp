#pragma once

#include <optional>
#include <string>

#include <ferry/apps/timetabling/model/Slots.hpp>

namespace timetabling {

/// Remembers in a file beside --out how long a search has worked, so that a search that was cut off goes on with the time that is left.
///
/// The file has the name of --out with ".resume" behind it. An orderly end removes it.
class Resumption {
public:
    /// Reads the file of an earlier search, if there is one. 'work' names the instance, and the published timetable where there is one.
    Resumption(std::string solutionFile, std::string work);

    /// Whether an earlier search was cut off, and its timetable is there.
    bool hasTimetable() const;
    /// The seconds that earlier searches have worked.
    double spentSeconds() const { return spentSeconds_; }
    const std::string& solutionFile() const { return solutionFile_; }

    /// Notes that this run has worked so long. A file that cannot be written is told once.
    void note(double seconds);
    /// Removes the file.
    void end() const;

private:
    std::string solutionFile_;
    std::string work_;
    std::string path_;
    double spentSeconds_ = 0;
    bool isFound_ = false;
    bool isToldOnce_ = false;
};

}    // namespace timetabling
