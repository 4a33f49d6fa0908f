#include <ferry/serialization/Probe.hpp>
