#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <ferry/apps/timetabling/report/Presenter.hpp>
#include <ferry/apps/timetabling/serve/HttpAnswer.hpp>
#include <ferry/apps/timetabling/serve/LiveState.hpp>

namespace timetabling {

/// Answers what a browser asks while a search runs: a page with the cost over time and what the slaves do, which asks for the JSON of
/// the state again and again, and the best timetable so far.
///
/// Ownership: refers to the state and the presenter. Threads: one, which may be another one than theirs.
class LivePage {
public:
    LivePage(const LiveState& state, const Presenter& presenter) : state_(state), presenter_(presenter) {}

    HttpAnswer answer(std::string_view path);

private:
    HttpAnswer timetable();

    const LiveState& state_;
    const Presenter& presenter_;
    std::uint64_t bestNumber_ = 0;
    std::string bestPage_;    ///< of that timetable, so that it is not made for each request
};

}    // namespace timetabling
