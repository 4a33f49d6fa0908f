#include <ferry/connector/Probe.hpp>
