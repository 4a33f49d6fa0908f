#include <ferry/apps/timetabling/parallel/ProgressLine.hpp>

#include <unistd.h>
#include <algorithm>

#include <fmt/format.h>

namespace timetabling {

ProgressLine::ProgressLine(std::FILE* stream, int populationSize)
    : stream_(stream),
      isTerminal_(isatty(fileno(stream)) == 1),
      populationSize_(std::max(1, populationSize)) {}

void ProgressLine::count(std::int64_t moves) {
    ++improvements_;
    moves_ += moves;
}

void ProgressLine::found(const Individual& best) {
    best_ = best.isFeasible() ? std::to_string(best.cost) : fmt::format("{} ({} conflicts)", best.cost, best.conflicts);
    if (best.moved > 0) best_ += fmt::format(", {} moved", best.moved);
}

void ProgressLine::update(double elapsedSeconds) {
    if (elapsedSeconds >= nextSeconds_) show(elapsedSeconds);
}

void ProgressLine::finish(double elapsedSeconds) {
    show(elapsedSeconds);
    leaveLine();
}

void ProgressLine::leaveLine() {
    if (hasOpenLine_) write("\n");
    hasOpenLine_ = false;
}

/// Writes the text. Ignores write errors, so that the search goes on.
void ProgressLine::write(const std::string& text) {
    std::fputs(text.c_str(), stream_);
    std::fflush(stream_);
}

std::string ProgressLine::text(double elapsedSeconds) const {
    const double seconds = std::max(elapsedSeconds, 0.001);
    return fmt::format("{:.0f} s: best {}, generation {}, {} improvements, {:.1f} per second, {:.3g} million moves per second",
                       elapsedSeconds, best_, improvements_ / populationSize_, improvements_, static_cast<double>(improvements_) / seconds,
                       static_cast<double>(moves_) / seconds / 1e6);
}

void ProgressLine::show(double elapsedSeconds) {
    constexpr const char* ClearLine = "\r\x1b[K";
    if (isTerminal_) {
        write(ClearLine + text(elapsedSeconds));
        hasOpenLine_ = true;
    } else {
        write(text(elapsedSeconds) + "\n");
    }
    nextSeconds_ = elapsedSeconds + 1;
}

}    // namespace timetabling
