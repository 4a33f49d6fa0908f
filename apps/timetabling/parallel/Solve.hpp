#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <ferry/ferry.hpp>

#include <ferry/apps/timetabling/io/OutputFile.hpp>
#include <ferry/apps/timetabling/parallel/Messages.hpp>
#include <ferry/apps/timetabling/problem/AnyProblem.hpp>
#include <ferry/apps/timetabling/problem/PublishedOptions.hpp>
#include <ferry/apps/timetabling/report/CalendarFolder.hpp>
#include <ferry/apps/timetabling/report/HtmlTarget.hpp>
#include <ferry/apps/timetabling/search/EvolutionPlan.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/serve/HttpServer.hpp>
#include <ferry/apps/timetabling/serve/LivePage.hpp>
#include <ferry/apps/timetabling/serve/LiveState.hpp>

namespace timetabling {

/// What the user asks of `timetabling solve`. A file name that is empty stands for a file that is not wanted.
struct SolveOptions {
    std::string instance;
    curriculum::Formulation formulation = curriculum::Formulation::UD2;
    std::string solutionFile;
    std::string htmlPath;    ///< of a page or a folder of pages
    std::string jsonFile;
    std::string csvFile;
    std::string calendarFolder;
    Term term;                            ///< for the calendars
    std::optional<std::uint16_t> port;    ///< on which to show how the search gets on
    PublishedOptions published;
    EvolutionOptions evolution;
    std::optional<int> populationSize;    ///< none: as suits the problem and the slaves
};

/// Solves an instance on the master: reads it, runs the evolution and writes the results.
class Solve {
public:
    /// Reads the instance, opens the port and the files for the results, so that nothing that is wrong with them comes up after the work.
    /// Errors: InputError.
    explicit Solve(const SolveOptions& options);

    /// The exit status: 0 when there is a feasible timetable, 1 when a slave could build none, 2 when a result could not be written; says
    /// so on stdout or in lines on stderr.
    /// Errors: ferry::Terminated when the job is stopped; what was found until then has been written.
    int run(ferry::Master& master);

private:
    static std::unique_ptr<OutputFile> open(const std::string& path);
    void tell(const NoFeasibleTimetable& failure) const;
    bool keep(const Individual& best);
    bool writeResults(const Individual& best);

    SolveOptions options_;
    AnyInstance instance_;
    std::unique_ptr<const SearchProblem> problem_;
    std::unique_ptr<const Presenter> presenter_;
    std::unique_ptr<OutputFile> solution_;         ///< null: not wanted
    bool keepsBest_ = true;                        ///< in it, while the search goes on: the last attempt has succeeded
    std::unique_ptr<HtmlTarget> html_;             ///< null: not wanted
    std::unique_ptr<OutputFile> json_;             ///< null: not wanted
    std::unique_ptr<OutputFile> csv_;              ///< null: not wanted
    std::unique_ptr<CalendarFolder> calendars_;    ///< null: not wanted
    std::unique_ptr<LiveState> live_;              ///< null: not wanted, as are the other two
    std::unique_ptr<LivePage> livePage_;
    std::unique_ptr<HttpServer> server_;    ///< goes first: it asks the others
};

}    // namespace timetabling
