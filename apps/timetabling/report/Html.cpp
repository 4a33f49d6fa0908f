#include <ferry/apps/timetabling/report/Html.hpp>

namespace timetabling {

std::string escapeHtml(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (const char symbol : text) {
        switch (symbol) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            case '\'': result += "&#39;"; break;
            default: {
                const auto byte = static_cast<unsigned char>(symbol);
                const bool isControl = byte < 0x20 || byte == 0x7F;
                if (isControl) {
                    result += "&#xFFFD;";
                } else {
                    result += symbol;
                }
            }
        }
    }
    return result;
}

}    // namespace timetabling
