// A part of oneWireName: a class in an unnamed namespace, which another source has too.
#include <ferry/ferry.hpp>
namespace {
struct Ask : ferry::Message {
    FERRY_CLASS(Ask)
    FERRY_FIELDS(text)
    std::string text;
};
}    // namespace
const ferry::Message& askElsewhere() {
    static const Ask ask;
    return ask;
}
