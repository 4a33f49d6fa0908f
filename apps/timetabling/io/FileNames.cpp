#include <ferry/apps/timetabling/io/FileNames.hpp>

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace timetabling {

namespace {

bool isSmall(char symbol) { return symbol >= 'a' && symbol <= 'z'; }
bool isCapital(char symbol) { return symbol >= 'A' && symbol <= 'Z'; }
bool isPlain(char symbol) {
    return isSmall(symbol) || isCapital(symbol) || (symbol >= '0' && symbol <= '9') || symbol == '.' || symbol == '_' || symbol == '-';
}

/// Returns the name in plain symbols. Leaves room for a number and an ending in the 255 bytes that file systems allow for a name.
std::string plainName(std::string_view name) {
    constexpr std::size_t mostBytes = 150;
    std::string result(name.substr(0, mostBytes));
    std::replace_if(
        result.begin(), result.end(), [](char symbol) { return !isPlain(symbol); }, '_');
    return result;
}

std::string inSmallLetters(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char symbol) { return isCapital(symbol) ? static_cast<char>(symbol - 'A' + 'a') : symbol; });
    return text;
}

}    // namespace

std::string FileNames::take(std::string_view kind, std::string_view name, std::string_view ending) {
    constexpr int firstNumber = 2;
    const std::string stem = fmt::format("{}-{}", plainName(kind), plainName(name));
    std::string fileName = stem + std::string(ending);
    const auto [first, isFree] = taken_.try_emplace(inSmallLetters(fileName), firstNumber);
    if (isFree) return fileName;
    int& number = first->second;    // the reference stays valid when the table grows
    do {
        fileName = fmt::format("{}-{}{}", stem, number++, ending);
    } while (!taken_.try_emplace(inSmallLetters(fileName), firstNumber).second);
    return fileName;
}

}    // namespace timetabling
