#pragma once

// The former place of <ferry/mpi.hpp>, kept for programs that include it.
#include <ferry/mpi.hpp>
