# Makes the build of this tree fast with the linker lld and a compiler cache (ccache), if they are available.
# A project that contains Ferry as a part decides for itself.
#
# Results of the cache also fit a clone in another folder: neither the paths nor __FILE__ name the folder of the clone.
# Stacks and debug information show source files as "./connector/Connector.cpp": start a debugger in the root of the tree.

if(NOT PROJECT_IS_TOP_LEVEL)
    return()
endif()
add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")    # g++ spends a twelfth of the time of a large test on the search for reusable memory
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1500000>")
endif()

# An interpreter that is a script, such as those of pyenv, takes four times as long to start as the interpreter that the script finds.
find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
    execute_process(COMMAND "${Python3_EXECUTABLE}" -c "import sys; print(sys.executable)"
        OUTPUT_VARIABLE ferryInterpreter OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(EXISTS "${ferryInterpreter}")
        set_target_properties(Python3::Interpreter PROPERTIES IMPORTED_LOCATION "${ferryInterpreter}")
    endif()
endif()

# The build of ./run has no lld. The check of the flag is not repeated, so it waits for the program.
find_program(FERRY_LLD ld.lld DOC "The linker lld")
if(FERRY_LLD)
    include(CheckLinkerFlag)
    check_linker_flag(CXX -fuse-ld=lld FERRY_HAS_LLD)
endif()
if(FERRY_HAS_LLD)
    add_link_options(-fuse-ld=lld)
endif()

find_program(FERRY_COMPILER_CACHE ccache DOC "The compiler cache")
if(NOT FERRY_COMPILER_CACHE OR DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    return()
endif()
# pch_defines and time_macros: without them ccache keeps nothing that uses a precompiled header.
set(CMAKE_CXX_COMPILER_LAUNCHER env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 CCACHE_NAMESPACE=ferry
    CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1 CCACHE_MAXSIZE=8G "${FERRY_COMPILER_CACHE}")
# CCACHE_DEPEND: a kept precompiled header fits the same text, comments included. g++ takes a precompiled header with another comment for
# another header: a test then reads that header a second time, despite its #pragma once.
set(FERRY_PRECOMPILED_LAUNCHER "${CMAKE_CURRENT_LIST_DIR}/compilePrecompiled.sh" ${CMAKE_CXX_COMPILER_LAUNCHER})
list(INSERT FERRY_PRECOMPILED_LAUNCHER 2 CCACHE_DEPEND=1)
