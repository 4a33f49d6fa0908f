#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>
#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling::curriculum {

/// Weights of a user in the place of those of a formulation.
struct OwnWeights {
    Weights weights;
    bool isRoomCapacityHard = false;
    std::vector<std::string> notes{};    ///< what of the table is a guess or left out
};

/// Reads a table with the columns 'constraint' and 'weight'. A weight is a whole number from 0 to 10000, or 'hard'.
/// A constraint without a row does not count, so the table has to say all that counts. RoomCapacity and RoomSuitability may be hard.
/// Errors: InputError with file, line and cure.
OwnWeights readWeights(TextFile file);
OwnWeights readWeights(const std::string& path);

/// Returns the table of the weights of the formulation.
std::string writeWeights(Formulation formulation);

void setWeights(Instance& instance, const OwnWeights& own);

}    // namespace timetabling::curriculum
