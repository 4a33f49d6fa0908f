#include <ferry/apps/timetabling/model/foldedName.hpp>

#include <cstddef>

namespace timetabling {

namespace {

/// Returns the small letter of a letter that has two bytes in UTF-8, or the letter itself. Both have two bytes.
unsigned smallLetterOf(unsigned letter) {
    const bool isLatin = letter >= 0xC0 && letter <= 0xDE && letter != 0xD7;
    const bool isGreek = letter >= 0x391 && letter <= 0x3A9;
    const bool isCyrillic = letter >= 0x410 && letter <= 0x42F;
    if (isLatin || isGreek || isCyrillic) return letter + 0x20;
    if (letter >= 0x400 && letter <= 0x40F) return letter + 0x50;
    if (letter == 0x178) return 0xFF;
    // In these letters of central Europe, the small one follows the capital one. U+0130 and U+0131 are different letters of Turkish.
    const bool isEvenCapital = (letter >= 0x100 && letter <= 0x136) || (letter >= 0x14A && letter <= 0x176);
    if (isEvenCapital && letter % 2 == 0 && letter != 0x130) return letter + 1;
    const bool isOddCapital = (letter >= 0x139 && letter <= 0x148) || (letter >= 0x179 && letter <= 0x17E);
    return isOddCapital && letter % 2 == 1 ? letter + 1 : letter;
}

}    // namespace

std::string foldedName(std::string_view name) {
    std::string result(name);
    for (char& symbol : result) {
        if (symbol >= 'A' && symbol <= 'Z') symbol = static_cast<char>(symbol - 'A' + 'a');
        if (symbol == ' ' || symbol == '-') symbol = '_';
    }
    for (std::size_t i = 0; i + 1 < result.size(); ++i) {
        const auto first = static_cast<unsigned char>(result[i]);
        const auto second = static_cast<unsigned char>(result[i + 1]);
        if (first < 0xC3 || first > 0xD1 || (second & 0xC0U) != 0x80U) continue;
        const unsigned letter = smallLetterOf((first & 0x1FU) << 6U | (second & 0x3FU));
        result[i] = static_cast<char>(0xC0U | letter >> 6U);
        result[++i] = static_cast<char>(0x80U | (letter & 0x3FU));
    }
    return result;
}

}    // namespace timetabling
