#include <ferry/apps/timetabling/io/closestName.hpp>

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/model/withoutZeroFraction.hpp>

namespace timetabling {

namespace {

constexpr std::size_t longestCompared = 60;    ///< bytes; longer names are not compared

/// The number of bytes that have to be changed, put in, taken out or exchanged with their neighbours (F. Damerau, 1964).
std::size_t differenceOf(std::string_view one, std::string_view other) {
    std::vector<std::vector<std::size_t>> table(one.size() + 1, std::vector<std::size_t>(other.size() + 1));
    for (std::size_t i = 0; i <= one.size(); ++i) {
        for (std::size_t k = 0; k <= other.size(); ++k) {
            std::size_t& least = table[i][k];
            least = i == 0 || k == 0 ? i + k : table[i - 1][k - 1] + (one[i - 1] == other[k - 1] ? 0 : 1);
            if (i > 0) least = std::min(least, table[i - 1][k] + 1);
            if (k > 0) least = std::min(least, table[i][k - 1] + 1);
            const bool isExchange = i > 1 && k > 1 && one[i - 1] == other[k - 2] && one[i - 2] == other[k - 1];
            if (isExchange) least = std::min(least, table[i - 2][k - 2] + 1);
        }
    }
    return table.back().back();
}

/// Returns the text of a whole number without leading zeros and without '.0', which spreadsheets take away and add. Else the text.
std::string_view asNumber(std::string_view text) {
    std::string_view number = withoutZeroFraction(text);
    if (number.empty() || number.find_first_not_of("0123456789") != std::string_view::npos) return text;
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size() - 1));
    return number;
}

/// Whether the text looks like what spreadsheets make of "1-2" or "MAR1": '01. Feb', '2-Jan', '01/02/2026'.
bool looksLikeDate(std::string_view text) {
    constexpr std::size_t fewestParts = 2;
    constexpr std::size_t lettersOfMonth = 3;
    std::size_t parts = 0;
    std::size_t months = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("-./ "), text.size());
        const std::string_view part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (part.empty()) continue;
        const bool isNumber = part.find_first_not_of("0123456789") == std::string_view::npos;
        const bool isMonth = part.size() == lettersOfMonth && part.find_first_of("0123456789") == std::string_view::npos;
        if (!isMonth && (!isNumber || part.size() > 4)) return false;
        ++parts;
        if (isMonth) ++months;
    }
    return parts > fewestParts ? months < 2 && parts == fewestParts + 1 : parts == fewestParts && months == 1;
}

/// Whether the text looks like what spreadsheets make of "1E5": '1.00E+05'.
bool looksLikePower(std::string_view text) {
    const std::size_t letter = text.find_first_of("eE");
    if (letter == std::string_view::npos || letter == 0) return false;
    const std::string_view factor = text.substr(0, letter);
    std::string_view power = text.substr(letter + 1);
    if (power.empty() || (power.front() != '+' && power.front() != '-')) return false;
    power.remove_prefix(1);
    return !power.empty() && factor.find_first_not_of("0123456789.,") == std::string_view::npos &&
           power.find_first_not_of("0123456789") == std::string_view::npos;
}

}    // namespace

std::string meantInstead(std::string_view name, const std::vector<std::string>& candidates) {
    if (name.empty() || name.size() > longestCompared) return {};
    const std::string folded = foldedName(name);
    const std::string* best = nullptr;
    std::size_t least = (folded.size() + 1) / 4;
    for (const std::string& candidate : candidates) {
        if (candidate.size() > longestCompared) continue;
        if (asNumber(name) == asNumber(candidate))
            return fmt::format("; did you mean '{}'? Format the column as text", printable(candidate));
        const std::size_t difference = differenceOf(folded, foldedName(candidate));
        if (difference > least || (best != nullptr && difference == least)) continue;
        least = difference;
        best = &candidate;
    }
    if (best == nullptr && folded.size() > 1) {
        const auto goesOn = [&](const std::string& candidate) { return foldedName(candidate).starts_with(folded); };
        const auto found = std::find_if(candidates.begin(), candidates.end(), goesOn);
        if (found != candidates.end() && std::find_if(found + 1, candidates.end(), goesOn) == candidates.end()) best = &*found;
    }
    if (best == nullptr && looksLikePower(name))
        return "; where a spreadsheet made a number of it, format the column as text and type it again";
    if (best == nullptr && looksLikeDate(name))
        return "; where a spreadsheet made a date of it, format the column as text and type it again";
    return best == nullptr ? "" : fmt::format("; did you mean '{}'?", printable(*best));
}

}    // namespace timetabling
