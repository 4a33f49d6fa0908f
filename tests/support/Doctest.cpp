// The test framework itself, compiled once. The mains are in files of their own.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
