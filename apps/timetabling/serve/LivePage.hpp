#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <ferry/apps/timetabling/report/Presenter.hpp>
#include <ferry/apps/timetabling/serve/HttpAnswer.hpp>
#include <ferry/apps/timetabling/serve/LiveState.hpp>

namespace timetabling {

/// Answers the requests of a browser while a search runs. The main page shows the cost over time and the work of the slaves.
/// The page asks repeatedly for the JSON of the state. Another page shows the best timetable so far.
///
/// Ownership: refers to the state and the presenter. Threads: one thread, which may differ from theirs.
class LivePage {
public:
    LivePage(const LiveState& state, const Presenter& presenter) : state_(state), presenter_(presenter) {}

    HttpAnswer answer(std::string_view path);

private:
    HttpAnswer timetable();

    const LiveState& state_;
    const Presenter& presenter_;
    std::uint64_t bestNumber_ = 0;
    std::string bestPage_;    ///< page of that timetable, kept so that it is not made for each request
};

}    // namespace timetabling
