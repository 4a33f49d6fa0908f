#include <ferry/apps/timetabling/curriculum/model/Formulation.hpp>

namespace timetabling::curriculum {

Weights weightsOf(Formulation formulation) {
    switch (formulation) {
        case Formulation::UD1: return {.minWorkingDays = 5, .compactness = 1};
        case Formulation::UD2: return {.minWorkingDays = 5, .compactness = 2, .roomStability = 1};
        case Formulation::UD3: return {.windows = 4, .dailyLoad = 2, .roomSuitability = 3};
        case Formulation::UD4:
            return {.minWorkingDays = 1, .windows = 1, .dailyLoad = 1, .doubleLectures = 1, .isRoomSuitabilityHard = true};
        case Formulation::UD5: return {.minWorkingDays = 5, .compactness = 1, .windows = 2, .dailyLoad = 2, .travelDistance = 2};
    }
    return {};
}

const char* nameOf(Formulation formulation) {
    switch (formulation) {
        case Formulation::UD1: return "UD1";
        case Formulation::UD2: return "UD2";
        case Formulation::UD3: return "UD3";
        case Formulation::UD4: return "UD4";
        case Formulation::UD5: return "UD5";
    }
    return "unknown";
}

std::optional<Formulation> formulationOf(std::string_view name) {
    for (const Formulation formulation : AllFormulations) {
        if (name == nameOf(formulation)) return formulation;
    }
    return std::nullopt;
}

}    // namespace timetabling::curriculum
