# A compiler cache (ccache) for the tree that is built by itself, if there is one. Its results fit a second clone in another folder too:
# neither the paths nor what the preprocessor inserts for __FILE__ names the folder of the clone.
# Source files show as "./connector/Connector.cpp" in stacks and debug information. Start a debugger in the root of the tree.

if(NOT PROJECT_IS_TOP_LEVEL)
    return()
endif()
add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>")

find_program(FERRY_COMPILER_CACHE ccache DOC "The compiler cache")
if(NOT FERRY_COMPILER_CACHE OR DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    return()
endif()
# pch_defines and time_macros: without them ccache keeps nothing that uses a precompiled header.
set(CMAKE_CXX_COMPILER_LAUNCHER env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime CCACHE_MAXSIZE=8G "${FERRY_COMPILER_CACHE}")
