# ferry_generate_views(target SELECTION file.toml [BOOST] [HEADER file] [FLAGS flag...])
#
# Runs ferrygen to make the views of a selection (docs/generator.md) before the target is compiled.
# The sources of the target include the views as <NAME.views.hpp>, for a selection NAME.toml.
# The header is made again when the selection or any header that it needs has changed.
#
# BOOST: functions for Boost.Serialization in place of views, as <NAME.boost.hpp>.
# HEADER: another path for the header, such as a file in the source tree that is committed.
# With FERRY_COMMITTED_VIEWS such a file is used as it is, and neither Python nor libclang is needed.
# FLAGS: additional flags for libclang, beyond the target's include folders and definitions.

set(FERRY_COMMITTED_VIEWS OFF CACHE BOOL "Take generated headers that lie in the source tree as they are")

set(ferryGenerator "${CMAKE_CURRENT_LIST_DIR}/tools/ferrygen")    # the place after installation
if(NOT EXISTS "${ferryGenerator}")
    get_filename_component(ferryGenerator "${CMAKE_CURRENT_LIST_DIR}/../tools/ferrygen" ABSOLUTE)
endif()
set(ferryGenerator "${ferryGenerator}" CACHE INTERNAL "The program ferrygen")

function(ferry_generate_views target_)
    cmake_parse_arguments(PARSE_ARGV 1 argument "BOOST" "SELECTION;HEADER" "FLAGS")
    if(NOT argument_SELECTION OR argument_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "ferry_generate_views(target SELECTION file.toml [BOOST] [HEADER file] [FLAGS flag...])")
    endif()
    get_filename_component(selection "${argument_SELECTION}" ABSOLUTE)
    get_filename_component(selectionFolder "${selection}" DIRECTORY)
    get_filename_component(stem "${selection}" NAME_WLE)
    set(kind views)
    set(kindFlag)
    if(argument_BOOST)
        set(kind boost)
        set(kindFlag --boost)
    endif()
    set(header "${CMAKE_CURRENT_BINARY_DIR}/${target_}.views/${stem}.${kind}.hpp")
    if(argument_HEADER)
        get_filename_component(header "${argument_HEADER}" ABSOLUTE)
    endif()
    get_filename_component(headerFolder "${header}" DIRECTORY)
    target_include_directories(${target_} PRIVATE "${headerFolder}" "${selectionFolder}")
    if(FERRY_COMMITTED_VIEWS AND argument_HEADER)
        return()
    endif()

    find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
    file(MAKE_DIRECTORY "${headerFolder}")
    string(MD5 uniqueName "${header}")
    set(depfile "${CMAKE_CURRENT_BINARY_DIR}/${target_}.views/${uniqueName}.d")
    file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${target_}.views")
    # The compiler's own folders are left out, since the compiler looks there itself.
    string(REGEX REPLACE "([][+.*()^$?|\\])" "\\\\\\1" systemFolders "${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES}")
    string(REPLACE ";" "|" systemFolders "${systemFolders}")
    set(folders "$<REMOVE_DUPLICATES:$<FILTER:$<TARGET_PROPERTY:${target_},INCLUDE_DIRECTORIES>,EXCLUDE,^(${systemFolders})$>>")
    set(definitions "$<TARGET_PROPERTY:${target_},COMPILE_DEFINITIONS>")
    add_custom_command(
        OUTPUT "${header}"
        COMMAND Python3::Interpreter "${ferryGenerator}" generate "${selection}" -o "${header}" ${kindFlag} --depfile "${depfile}" --
            "$<$<BOOL:${folders}>:-I$<JOIN:${folders},;-I>>" "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" ${argument_FLAGS}
        DEPENDS "${selection}" "${ferryGenerator}"
        DEPFILE "${depfile}"
        COMMENT "Generating ${stem}.${kind}.hpp"
        COMMAND_EXPAND_LISTS VERBATIM)
    target_sources(${target_} PRIVATE "${header}")
endfunction()
