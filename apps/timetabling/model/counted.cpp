#include <ferry/apps/timetabling/model/counted.hpp>

#include <fmt/format.h>

namespace timetabling {

std::string counted(std::int64_t number, const char* noun) { return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s"); }

}    // namespace timetabling
