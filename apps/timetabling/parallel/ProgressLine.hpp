#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include <ferry/apps/timetabling/search/Individual.hpp>

namespace timetabling {

/// Shows about once a second the progress of an evolution. A terminal gets one line that is redrawn, other outputs get plain lines.
///
/// Ownership: refers to the stream.
class ProgressLine {
public:
    /// populationSize: the number of improvements in one generation.
    ProgressLine(std::FILE* stream, int populationSize);

    /// Counts one improved individual. moves: the number of moves of its improvement.
    void count(std::int64_t moves);
    /// Notes the best individual so far.
    void found(const Individual& best);
    /// Shows the line if it is due.
    void update(double elapsedSeconds);
    /// Shows the line for the last time and ends it.
    void finish(double elapsedSeconds);
    /// Ends the line that is redrawn, so that other text can be printed below it.
    void leaveLine();

private:
    std::string text(double elapsedSeconds) const;
    void show(double elapsedSeconds);
    void write(const std::string& text);

    std::FILE* stream_;
    bool isTerminal_;
    int populationSize_;
    double nextSeconds_ = 1;
    std::int64_t improvements_ = 0;
    std::int64_t moves_ = 0;
    std::string best_ = "none yet";
    bool hasOpenLine_ = false;
};

}    // namespace timetabling
