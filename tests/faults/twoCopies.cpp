// A program that exports nothing loads a plugin that has Ferry linked in: argv[1] is its file. Should print one line that says that there are
// two copies of Ferry. Kind: wrong diagnosis; each copy knows only its own classes and ranks.
#include <ferry/ferry.hpp>
#include <dlfcn.h>
#include <cstdio>
int main(int argc, char** argv) {
    ferry::Application app(argc, argv, ferry::ThreadRanks{1});
    void* const plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW) : nullptr;
    if (plugin == nullptr) std::printf("the plugin cannot be loaded: %s\n", argc > 1 ? dlerror() : "no file was named");
    return app.runOnAll([&](ferry::Connector&) { return plugin != nullptr ? 0 : 1; });
}
