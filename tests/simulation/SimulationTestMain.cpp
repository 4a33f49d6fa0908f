// main() of the tests that run under simulation.
#include <doctest/doctest.h>

#include <ferry/framework/monitor/Log.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

int main(int argc, char** argv) {
    ferry::setLogLevel("off");    // thousands of jobs drop replies
    ferry::test::Seeds::takeOptions(argc, argv);
    return doctest::Context(argc, argv).run();
}
