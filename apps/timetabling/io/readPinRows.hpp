#pragma once

#include <vector>

#include <ferry/apps/timetabling/io/CsvReader.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>

namespace timetabling {

/// Reads the rows of a table of pins. pinOf() makes a pin of the present row. board.add() reports a contradiction.
/// Errors: InputError with file and line for a contradiction. Exceptions of pinOf() pass through.
template <class Board, class PinOf>
auto readPinRows(CsvReader& table, Board& board, PinOf pinOf) {
    std::vector<decltype(pinOf())> pins;
    while (table.next()) {
        pins.push_back(pinOf());
        if (const auto contradiction = board.add(pins.back()))
            throw InputError(table.file(), table.line(), printable(*contradiction, 1000));
    }
    return pins;
}

}    // namespace timetabling
