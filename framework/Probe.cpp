#include <ferry/framework/Probe.hpp>
