#include <ferry/apps/timetabling/model/lowered.hpp>

namespace timetabling {

std::string lowered(std::string text) {
    for (char& symbol : text) {
        if (symbol >= 'A' && symbol <= 'Z') symbol = static_cast<char>(symbol - 'A' + 'a');
    }
    return text;
}

}    // namespace timetabling
