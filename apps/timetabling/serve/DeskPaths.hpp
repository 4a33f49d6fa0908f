#pragma once

#include <optional>

#include <ferry/apps/timetabling/serve/Desk.hpp>
#include <ferry/apps/timetabling/serve/HttpAnswer.hpp>

namespace timetabling {

/// The paths by which pages and programs ask and change a desk. The README of the program has a table of them.
///
/// Ownership: refers to the desk. Threads: those of the desk.
class DeskPaths {
public:
    explicit DeskPaths(Desk& desk) : desk_(desk) {}

    /// Returns the answer; nothing for a path that is none of the desk's.
    std::optional<HttpAnswer> answer(const HttpRequest& request);

private:
    std::optional<HttpAnswer> get(std::string_view path) const;
    bool post(std::string_view path, const HttpRequest& request);

    Desk& desk_;
};

}    // namespace timetabling
