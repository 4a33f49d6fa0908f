#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <ferry/ferry.hpp>

#include <ferry/apps/timetabling/io/OutputFile.hpp>
#include <ferry/apps/timetabling/parallel/Messages.hpp>
#include <ferry/apps/timetabling/parallel/Repair.hpp>
#include <ferry/apps/timetabling/parallel/Rest.hpp>
#include <ferry/apps/timetabling/parallel/Resumption.hpp>
#include <ferry/apps/timetabling/problem/AnyProblem.hpp>
#include <ferry/apps/timetabling/problem/PublishedOptions.hpp>
#include <ferry/apps/timetabling/report/CalendarFolder.hpp>
#include <ferry/apps/timetabling/report/HtmlTarget.hpp>
#include <ferry/apps/timetabling/search/EvolutionPlan.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/serve/Desk.hpp>
#include <ferry/apps/timetabling/serve/HttpServer.hpp>
#include <ferry/apps/timetabling/serve/LivePage.hpp>
#include <ferry/apps/timetabling/serve/LiveState.hpp>

namespace timetabling {

/// The options of `timetabling solve`. An empty file name stands for a file that is not wanted.
struct SolveOptions {
    std::string instance;
    curriculum::Formulation formulation = curriculum::Formulation::UD2;
    std::string weightsFile;    ///< own weights instead of those of the formulation
    std::string solutionFile;
    std::string htmlPath;    ///< path of a page or of a folder of pages
    std::string jsonFile;
    std::string csvFile;
    std::string calendarFolder;
    Term term;                            ///< the term for the calendars
    std::optional<std::uint16_t> port;    ///< port of the page that shows the progress of the search
    PublishedOptions published;
    EvolutionOptions evolution;
    bool anyway = false;                    ///< where no timetable has all lectures, one with the fewest lectures left out is the result
    bool resumes = false;                   ///< a run that was cut off goes on from its timetable, with the time that is left
    std::optional<RepairOptions> repair;    ///< the run repairs a published timetable
    std::optional<int> populationSize;      ///< without a value, the size suits the problem and the slaves
};

/// Solves an instance on the master: reads it, runs the evolution and writes the results.
class Solve {
public:
    /// Reads the instance, and opens the port and the files for the results. So errors of these appear before the work and not after it.
    /// Errors: InputError.
    explicit Solve(const SolveOptions& options);

    /// Runs the search. With a port and a timetable, the pages stay until the user ends the program. Returns the exit status: 0 for a
    /// feasible timetable, 1 when no slave could build one or lectures are left out, 2 when a result could not be written. Prints the
    /// outcome on stdout or in lines on stderr. Errors: ferry::Terminated when the job is stopped. The results so far have been written
    /// then.
    int run(ferry::Master& master);

private:
    static std::unique_ptr<OutputFile> open(const std::string& path);
    /// The pages that show the timetable and the progress of the search.
    struct Live {
        Live(std::uint16_t port, const AnyInstance& instance, const Presenter& presenter, const Term& term);

        LiveState state;
        Desk desk;
        LivePage page;
        HttpServer server;    ///< destroyed first, because it refers to the others
    };

    int runSearch(ferry::Master& master);
    int stay(ferry::Master& master, int status);
    void writeAgain(const DeskOrder& order);
    void show(const Individual& best) const;
    Individual search(ferry::Master& master, const EvolutionOptions& options);
    void noteTime();
    std::optional<Individual> cutOff() const;
    Slots restOfEarlierRun() const;
    int finish(ferry::Master& master, const Individual& found);
    int runRest(ferry::Master& master);
    void tell(const NoFeasibleTimetable& failure) const;
    bool keep(const Individual& best);
    bool writeResults(const Individual& best);

    SolveOptions options_;
    AnyInstance instance_;
    std::unique_ptr<const SearchProblem> problem_;
    std::unique_ptr<const Presenter> presenter_;
    std::unique_ptr<OutputFile> solution_;           ///< null: not wanted
    bool keepsBest_ = true;                          ///< the best timetable is written during the search; true when the last attempt has
                                                     ///< succeeded
    std::unique_ptr<HtmlTarget> html_;               ///< null: not wanted
    std::unique_ptr<OutputFile> json_;               ///< null: not wanted
    std::unique_ptr<OutputFile> csv_;                ///< null: not wanted
    std::unique_ptr<CalendarFolder> calendars_;      ///< null: not wanted
    std::unique_ptr<OutputFile> front_;              ///< null: not wanted
    std::unique_ptr<Repair> repair_;                 ///< null: the run is no repair
    std::unique_ptr<Resumption> resumption_;         ///< null: not wanted
    std::chrono::steady_clock::time_point begin_;    ///< when the run began
    double nextNote_ = 1;                            ///< seconds of the run after which its time is noted
    std::unique_ptr<Rest> rest_;                     ///< null: all lectures take place
    std::unique_ptr<Live> live_;                     ///< null: not wanted
};

}    // namespace timetabling
