# Programs that begin with <ferry/ferry.hpp> share one precompiled form of it: a small one compiles in half the time.

# ferryPrecompiledHeaders(owner OPTIONS o... LIBRARIES l... HEADERS h...): the headers, precompiled once with these options. Programs that use
# them must be compiled with the same options, and with all definitions of the owner; more definitions do no harm.
function(ferryPrecompiledHeaders owner_)
    cmake_parse_arguments(PARSE_ARGV 1 argument "" "" "OPTIONS;LIBRARIES;HEADERS")
    set(empty "${CMAKE_CURRENT_BINARY_DIR}/${owner_}.cpp")
    file(CONFIGURE OUTPUT "${empty}" CONTENT "// Nothing but what is precompiled.\n")
    add_library(${owner_} OBJECT "${empty}")
    target_link_libraries(${owner_} PRIVATE ${argument_LIBRARIES})
    target_compile_options(${owner_} PRIVATE -Wpedantic ${argument_OPTIONS})
    target_precompile_headers(${owner_} PRIVATE ${argument_HEADERS})
    set_target_properties(${owner_} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()

# ferryUsePrecompiled(owner target...): the targets take what the owner has precompiled.
function(ferryUsePrecompiled owner_)
    foreach(target IN LISTS ARGN)
        target_precompile_headers(${target} REUSE_FROM ${owner_})
        set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
        target_compile_options(${target} PRIVATE -Wpedantic)    # it decides about a macro, which must be as the owner has it
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            target_compile_options(${target} PRIVATE -fpch-preprocess)    # without it, a compiler cache does not know what is read
        endif()
    endforeach()
endfunction()
