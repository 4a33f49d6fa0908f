#pragma once

// The former place of <ferry/guarded.hpp>, kept for programs that include it.
#include <ferry/guarded.hpp>
