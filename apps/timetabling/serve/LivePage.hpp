#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <ferry/apps/timetabling/report/page/PageText.hpp>
#include <ferry/apps/timetabling/serve/Desk.hpp>
#include <ferry/apps/timetabling/serve/HttpAnswer.hpp>
#include <ferry/apps/timetabling/serve/LiveState.hpp>

namespace timetabling {

/// Answers the requests of a browser: the present timetable with its pages, the progress of the search, and the paths of the desk.
///
/// Ownership: refers to the state and the desk. Threads: one thread, which may differ from theirs.
class LivePage {
public:
    /// 'term' has the dates of the timetable; without a first day they are not known.
    LivePage(const LiveState& state, Desk& desk, Term term = {}) : state_(state), desk_(desk), term_(std::move(term)) {}

    HttpAnswer answer(const HttpRequest& request);

private:
    bool update();
    std::optional<std::string> page(std::string_view path) const;
    std::string deskPanel() const;

    const LiveState& state_;
    Desk& desk_;
    Term term_;
    std::optional<TimetableView> view_;    ///< the timetable that the pages show; nothing: there is none yet
    WeekAddresses addresses_;
    std::uint64_t version_ = 0;    ///< version of that timetable
    std::string index_;            ///< the first page of that timetable, kept so that it is not made for each request
};

}    // namespace timetabling
