#include <ferry/apps/timetabling/model/foldedName.hpp>

namespace timetabling {

std::string foldedName(std::string_view name) {
    std::string result(name);
    for (char& symbol : result) {
        if (symbol >= 'A' && symbol <= 'Z') symbol = static_cast<char>(symbol - 'A' + 'a');
        if (symbol == ' ' || symbol == '-') symbol = '_';
    }
    return result;
}

}    // namespace timetabling
