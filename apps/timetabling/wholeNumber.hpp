#pragma once

#include <cstdint>

#include <CLI/CLI.hpp>

namespace timetabling {

/// Accepts a whole number of the command line from 'least' to 'most'; says what was expected and what was found otherwise.
CLI::Validator wholeNumber(std::int64_t least, std::int64_t most);

}    // namespace timetabling
