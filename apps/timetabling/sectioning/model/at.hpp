#pragma once

#include <cstddef>

namespace timetabling::sectioning {

/// The index of an item in a container. Indices of instances are whole numbers with a sign, since -1 stands for no item.
constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

}    // namespace timetabling::sectioning
