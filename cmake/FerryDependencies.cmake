# The packages that Ferry needs. A missing package stops the configure step with its name and its Debian package.

function(ferryFindPackage package_ debianPackage_)
    find_package(${package_} QUIET ${ARGN})
    if(NOT ${package_}_FOUND)
        message(FATAL_ERROR "Ferry needs ${package_}, which was not found (Debian: apt-get install ${debianPackage_})")
    endif()
    # find_package sets its result variables in this function's scope. The callers use targets, and those are global here.
endfunction()

set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
find_package(Threads REQUIRED)
if(FERRY_WITH_MPI)
    set(MPI_CXX_SKIP_MPICXX ON)    # the C interface only; the C++ bindings were removed from the standard
    include(FerryMpiAbi)
    ferryFindPackage(MPI "libopenmpi-dev openmpi-bin" COMPONENTS CXX)
    ferryCheckMpiAbi()
endif()
find_package(Boost 1.81 QUIET OPTIONAL_COMPONENTS serialization)    # ferry::boost exists only with this component
if(NOT Boost_FOUND)
    message(FATAL_ERROR "Ferry needs Boost 1.81 or newer, which was not found (Debian: apt-get install libboost1.81-dev)")
endif()
# libbacktrace comes with GCC, in a folder of GCC. clang links from there too, but must not search headers there.
# Those are the headers of another compiler, so the one header that is needed is copied.
# Without libbacktrace, compressed, split and separate debug information is not read.
execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libbacktrace.a
    OUTPUT_VARIABLE backtraceLibrary OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
get_filename_component(backtraceHeader "${backtraceLibrary}" DIRECTORY)
string(APPEND backtraceHeader "/include/backtrace.h")
set(ferryBacktraceFolder "")
if(EXISTS "${backtraceHeader}")
    set(ferryBacktraceFolder "${PROJECT_BINARY_DIR}/backtrace")
    configure_file("${backtraceHeader}" "${ferryBacktraceFolder}/backtrace.h" COPYONLY)
else()
    message(STATUS "libbacktrace was not found: stacks of exceptions show no lines of code with compressed or split debug information")
endif()
ferryFindPackage(fmt libfmt-dev)
ferryFindPackage(spdlog libspdlog-dev)
ferryFindPackage(CLI11 libcli11-dev)
find_path(FERRY_XXHASH_INCLUDE_DIR xxh3.h DOC "Where xxhash.h and xxh3.h lie")    # the headers alone are enough
if(NOT FERRY_XXHASH_INCLUDE_DIR)
    message(FATAL_ERROR "Ferry needs xxHash 0.8 or newer, which was not found (Debian: apt-get install libxxhash-dev)")
endif()
add_library(ferryXxhash INTERFACE IMPORTED GLOBAL)
set_target_properties(ferryXxhash PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${FERRY_XXHASH_INCLUDE_DIR}")
ferryFindPackage(nlohmann_json nlohmann-json3-dev)
if(FERRY_BUILD_TESTS)
    ferryFindPackage(doctest doctest-dev)
endif()
if(FERRY_BUILD_BENCHMARKS)
    ferryFindPackage(benchmark libbenchmark-dev)
endif()
