// The test framework itself, compiled once. The main() functions are in separate files.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
