#pragma once

#include <cstdint>

#include <CLI/CLI.hpp>

namespace timetabling {

/// Accepts a whole number of the command line from 'least' to 'most'. For other texts, says what was expected and what was found.
CLI::Validator wholeNumber(std::int64_t least, std::int64_t most);

}    // namespace timetabling
