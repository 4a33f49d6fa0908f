#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/report/TimetableView.hpp>

namespace timetabling {

/// The addresses of pages or of their parts: "room-A.1.html" or "#week-3". Addresses contain no characters with a meaning in HTML.
struct WeekAddresses {
    std::vector<std::string> weeks;    ///< indexed by week
    std::vector<std::string> days;     ///< indexed by day
    std::string desk{};                ///< the page that answers "what if"; empty for pages without a server
};

/// Limit for the entries of one kind on a page. Pages print the number of further entries.
inline constexpr std::size_t MostListed = 500;

/// A page of HTML that is built from front to back. The page needs no other file and no network.
///
/// add() takes markup, and the values in it are markup too. Any text of an instance has to pass through escapeHtml() first.
class PageText {
public:
    /// The layout of the page in print.
    enum class Shape { Upright, Week };

    /// Writes everything up to the begin of the body. 'title' is plain text. Only served pages may ask their server.
    explicit PageText(std::string_view title, Shape shape = Shape::Upright, bool isServed = false);

    template <class... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    }
    /// Adds the text, with its link if it has one. A link to the week 'here' is left out.
    void addLinked(const LinkedText& linked, const WeekAddresses& addresses, int here = -1);
    /// Adds the filter field. Only rows and lectures that contain the text of the field are shown.
    void addFilter(std::string_view label);
    /// Ends the page, and returns it.
    std::string finish();

private:
    std::string text_;
};

/// Sums up the remarks: "3 violations, cost 12" or "nothing is wrong".
std::string sumUp(const TimetableView& view, const std::vector<std::size_t>& remarks);
/// The style class for the worst of the remarks: "hard", "soft" or "good".
const char* styleOf(const TimetableView& view, const std::vector<std::size_t>& remarks);

/// The titles of a kind, such as "Room" and "Rooms".
const char* titleOf(WeekKind kind);
const char* pluralOf(WeekKind kind);
/// The name of a kind in small letters, for the names of files.
const char* nameOf(WeekKind kind);

}    // namespace timetabling
