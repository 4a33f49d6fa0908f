// Stands for the library of UCX, which handles SIGHUP in each process that loads it.
extern "C" void switchDebugOutputOn(int) {}
