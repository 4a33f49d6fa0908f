#include <ferry/apps/timetabling/io/InputProblems.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace timetabling {

void InputProblems::add(const InputError& error) {
    if (isFull_) throw error;    // the error has all lines already
    lines_.emplace_back(error.what());
    if (lines_.size() < mostErrors) return;
    isFull_ = true;
    lines_.push_back(fmt::format("the first {} errors are told; others may follow", mostErrors));
    throwIfAny();
}

void InputProblems::throwIfAny() const {
    if (!lines_.empty()) throw InputError(InputError::Lines{}, fmt::format("{}", fmt::join(lines_, "\n")));
}

}    // namespace timetabling
