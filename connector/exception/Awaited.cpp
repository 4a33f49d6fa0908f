#include <ferry/connector/exception/Awaited.hpp>

FERRY_FIELDS_DEFINED(ferry::detail::Awaited)

namespace ferry::detail {

std::string Awaited::inWords(std::string_view separator) const {
    std::string text = what;
    for (const std::string& remark : remarks) text.append(separator).append(remark);
    return text;
}

}    // namespace ferry::detail
