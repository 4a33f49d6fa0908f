# Some programs begin with <ferry/ferry.hpp> and take longer to compile than to run. They share one precompiled form of this header.
# That halves the compile time of a small program. The programs are compiled with FERRY_TEST_OPTIONS.

# ferryPrecompiledHeaders(owner LIBRARIES l... HEADERS h...): precompiles the headers once.
function(ferryPrecompiledHeaders owner_)
    cmake_parse_arguments(PARSE_ARGV 1 argument "" "" "LIBRARIES;HEADERS")
    set(empty "${CMAKE_CURRENT_BINARY_DIR}/${owner_}.cpp")
    file(CONFIGURE OUTPUT "${empty}" CONTENT "// Nothing but what is precompiled.\n")
    add_library(${owner_} OBJECT "${empty}")
    target_link_libraries(${owner_} PRIVATE ${argument_LIBRARIES})
    set_target_properties(${owner_} PROPERTIES UNITY_BUILD OFF)    # that source would name the folder, which a compiler cache sees
    target_precompile_headers(${owner_} PRIVATE ${argument_HEADERS})
    if(FERRY_PRECOMPILED_LAUNCHER)
        set_target_properties(${owner_} PROPERTIES CXX_COMPILER_LAUNCHER "${FERRY_PRECOMPILED_LAUNCHER}")
    endif()
    ferryColdProgram(${owner_})
endfunction()

# ferryUsePrecompiled(owner target...): the targets use the precompiled headers of the owner.
# They need all definitions of the owner's libraries; additional definitions do no harm.
# Their sources use the same templates. With 16 instead of 8 sources compiled as one, two units of ferryConnectorTests took 18 % less time.
function(ferryUsePrecompiled owner_)
    foreach(target IN LISTS ARGN)
        target_precompile_headers(${target} REUSE_FROM ${owner_})
        if(NOT owner_ STREQUAL ferryPrecompiledStandard)
            set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
        endif()
        ferryColdProgram(${target})
    endforeach()
endfunction()

# ferryColdProgram(target): sets the options that decide whether a precompiled header fits. They are equal for all these programs.
function(ferryColdProgram target_)
    set_target_properties(${target_} PROPERTIES CXX_EXTENSIONS OFF)
    target_compile_options(${target_} PRIVATE ${FERRY_TEST_OPTIONS} -Wpedantic)
    if("-pthread" IN_LIST MPI_CXX_COMPILE_OPTIONS)    # of Open MPI 5: it makes a definition, which only programs with MPI would have
        target_compile_options(${target_} PRIVATE -pthread)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target_} PRIVATE -fpch-preprocess)    # without it, a compiler cache does not know which files are read
    endif()
endfunction()
