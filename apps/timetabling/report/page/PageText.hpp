#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/report/TimetableView.hpp>

namespace timetabling {

/// Where each week is to be found: "room-A.1.html" or "#week-3". Addresses hold nothing that HTML gives a meaning.
using WeekAddresses = std::vector<std::string>;

/// What pages list at most, of one kind; how much more there is they say.
inline constexpr std::size_t MostListed = 500;

/// A page of HTML that needs no other file and no network, put together from front to back.
///
/// What is given to add() is markup, and so are its values: whatever comes from an instance goes through escapeHtml() first.
class PageText {
public:
    /// How the page lies when it is printed.
    enum class Shape { Upright, Week };

    /// Everything up to the begin of the body; 'title' is plain text.
    explicit PageText(std::string_view title, Shape shape = Shape::Upright);

    template <class... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    }
    /// The text with a link, if it has one; none to the week 'here'.
    void addLinked(const LinkedText& linked, const WeekAddresses& addresses, int here = -1);
    /// The field for a text that rows and lectures must hold to be shown.
    void addFilter(std::string_view label);
    /// The whole page.
    std::string finish();

private:
    std::string text_;
};

/// "3 violations, cost 12", "nothing is wrong".
std::string sumUp(const TimetableView& view, const std::vector<std::size_t>& remarks);
/// The class of the style for what is as bad as the worst of the remarks: "hard", "soft" or "good".
const char* styleOf(const TimetableView& view, const std::vector<std::size_t>& remarks);

/// "Room", and "Rooms".
const char* titleOf(WeekKind kind);
const char* pluralOf(WeekKind kind);
/// The same in small letters, for the names of files.
const char* nameOf(WeekKind kind);

}    // namespace timetabling
