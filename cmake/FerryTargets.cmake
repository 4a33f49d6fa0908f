# Functions that make every library, program and test of the project in the same way.

# ferryWarnings(target): the warnings that the project keeps clean; errors when FERRY_WARNINGS_AS_ERRORS is on.
function(ferryWarnings target_)
    target_compile_options(${target_} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
    if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")    # clang would warn of names that another source of the unit has
        target_compile_options(${target_} PRIVATE -Wno-shadow)
    endif()
    if(FERRY_WARNINGS_AS_ERRORS)
        target_compile_options(${target_} PRIVATE -Werror)
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            # These warnings come from flow analysis after inlining. With -O3 or a sanitizer, GCC reports paths that cannot be taken.
            target_compile_options(${target_} PRIVATE
                -Wno-error=maybe-uninitialized -Wno-error=stringop-overflow -Wno-error=array-bounds -Wno-error=restrict)
        endif()
    endif()
endfunction()

# Sources of a library that a unity build compiles as one. With the 8 of CMake, the compiler reads headers more often and works a third longer.
set(ferryUnitySources 32)

# ferryLibrary(layer HEADERS h... SOURCES s... PUBLIC dependency... PRIVATE dependency...)
# makes ferry_<layer> with the alias ferry::<layer>. Headers and sources are named relative to the calling folder.
function(ferryLibrary layer_)
    cmake_parse_arguments(PARSE_ARGV 1 argument "" "" "HEADERS;SOURCES;PUBLIC;PRIVATE")
    set(headerRoot "${PROJECT_BINARY_DIR}/include")
    file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
    list(TRANSFORM argument_HEADERS PREPEND "${headerRoot}/ferry/${folder}/")
    add_library(ferry_${layer_})    # an archive, or a shared library with BUILD_SHARED_LIBS
    add_library(ferry::${layer_} ALIAS ferry_${layer_})
    target_sources(ferry_${layer_}
        PRIVATE ${argument_SOURCES}
        PUBLIC FILE_SET HEADERS BASE_DIRS "${headerRoot}" FILES ${argument_HEADERS})
    target_compile_features(ferry_${layer_} PUBLIC cxx_std_20)
    target_link_libraries(ferry_${layer_} PUBLIC ${argument_PUBLIC} PRIVATE ${argument_PRIVATE})
    set_target_properties(ferry_${layer_} PROPERTIES
        EXPORT_NAME ${layer_}
        POSITION_INDEPENDENT_CODE ON
        DEFINE_SYMBOL ""    # the same compile commands for archives and shared libraries
        VERSION "${PROJECT_VERSION}"
        SOVERSION "${ferryInterfaceVersion}"
        CXX_EXTENSIONS OFF
        UNITY_BUILD_BATCH_SIZE ${ferryUnitySources}
        VERIFY_INTERFACE_HEADER_SETS ON)
    if(BUILD_SHARED_LIBS AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
        set(exported "${PROJECT_SOURCE_DIR}/cmake/exportedSymbols.map")
        target_link_options(ferry_${layer_} PRIVATE "LINKER:--version-script=${exported}")
        set_property(TARGET ferry_${layer_} APPEND PROPERTY LINK_DEPENDS "${exported}")
    endif()
    ferryWarnings(ferry_${layer_})
endfunction()

# ferryDoors(layer header...): headers at the top of the tree that belong to ferry_<layer>. Their names are relative to the root, without
# ending.
function(ferryDoors layer_)
    list(TRANSFORM ARGN PREPEND "${PROJECT_BINARY_DIR}/include/ferry/")
    list(TRANSFORM ARGN APPEND ".hpp")
    target_sources(ferry_${layer_} PUBLIC FILE_SET HEADERS FILES ${ARGN})
endfunction()

# ferryColdSources(file...): compiles these sources of the calling folder with FERRY_COLD_OPTIONS, and so separately in a unity build.
function(ferryColdSources)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${FERRY_COLD_OPTIONS}" SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# ferryNvccObject(variable source): a command that compiles a source of CUDA; the variable gets the object file.
function(ferryNvccObject variable source)
    get_filename_component(name "${source}" NAME_WE)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.cu.o")
    add_custom_command(OUTPUT "${object}" VERBATIM
        COMMAND "${CUDAToolkit_NVCC_EXECUTABLE}" -O2 -std=c++20 --expt-relaxed-constexpr --extended-lambda -DNDEBUG -diag-suppress 177,611,940
            -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=sm_90 "-I${PROJECT_BINARY_DIR}/include"
            -c "${CMAKE_CURRENT_SOURCE_DIR}/${source}" -o "${object}" -MD -MF "${object}.d"
        DEPENDS "${source}"
        DEPFILE "${object}.d")
    set(${variable} "${object}" PARENT_SCOPE)
endfunction()

# ferryProgram(name SOURCES s... LIBRARIES l...): a program in build/<preset>/bin.
function(ferryProgram name_)
    cmake_parse_arguments(PARSE_ARGV 1 argument "" "" "SOURCES;LIBRARIES")
    add_executable(${name_} ${argument_SOURCES})
    target_link_libraries(${name_} PRIVATE ${argument_LIBRARIES})
    set_target_properties(${name_} PROPERTIES CXX_EXTENSIONS OFF)
    ferryWarnings(${name_})
endfunction()
