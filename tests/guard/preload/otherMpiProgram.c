// Uses the other MPI: its own, or with an argument that of the module there.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef FERRY_LINKS_OTHER_MPI
int useOtherMpi(int argc, char** argv);
#endif

int main(int argc, char** argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);    // the line below is there although the guard starts the program again
    printf("preloaded: %s\n", getenv("LD_PRELOAD") != NULL ? getenv("LD_PRELOAD") : "nothing");
#ifdef FERRY_LINKS_OTHER_MPI
    return useOtherMpi(argc, argv);
#else
    void* const module = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    int (*const use)(int, char**) = module != NULL ? (int (*)(int, char**))dlsym(module, "useOtherMpi") : NULL;
    return use != NULL ? use(argc, argv) : 9;
#endif
}
