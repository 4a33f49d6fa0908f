#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include <ferry/apps/timetabling/search/Individual.hpp>

namespace timetabling {

/// Shows about once a second how an evolution gets on: redrawn in place on a terminal, plain lines elsewhere.
///
/// Ownership: refers to the stream.
class ProgressLine {
public:
    /// A generation is as many improvements as there are individuals in the population.
    ProgressLine(std::FILE* stream, int populationSize);

    /// Notes an improved individual by the moves that it took.
    void count(std::int64_t moves);
    /// Notes the best individual so far.
    void found(const Individual& best);
    /// Shows the line when it is due.
    void update(double elapsedSeconds);
    /// Shows the line for the last time and leaves it.
    void finish(double elapsedSeconds);
    /// Leaves the line that is redrawn, so that something else can be printed below it.
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
