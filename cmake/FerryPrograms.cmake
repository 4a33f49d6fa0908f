# The programs that are installed: ferry with its parts, and the former names ferryrun and ferryFile.

set(ferryToolsFolder share/ferry)    # the program ferry finds this folder beside its own
foreach(program ferryFile ferryProbe)
    if(TARGET ${program})
        set_target_properties(${program} PROPERTIES INSTALL_RPATH "${ferryProgramPath}")
        install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
    endif()
endforeach()
# The first line of ferryrun names an interpreter by its path: an interpreter that is found through PATH may be a script that changes the
# variables of the ranks, and that takes longer to start than MPI's launcher.
set(ferryrunProgram "${PROJECT_SOURCE_DIR}/tools/ferryrun")
if(NOT EXISTS /usr/bin/python3)
    file(READ "${ferryrunProgram}" ferryrunText)
    string(REPLACE "#!/usr/bin/python3 " "#!${Python3_EXECUTABLE} " ferryrunText "${ferryrunText}")
    set(ferryrunProgram "${PROJECT_BINARY_DIR}/package/ferryrun")
    file(WRITE "${ferryrunProgram}" "${ferryrunText}")
endif()
install(PROGRAMS "${PROJECT_SOURCE_DIR}/tools/ferry" "${ferryrunProgram}"
    DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tools/ferryParts" DESTINATION "${ferryToolsFolder}" COMPONENT tools
    FILES_MATCHING PATTERN "*.py" PATTERN "*.in")
install(FILES "${PROJECT_SOURCE_DIR}/version.hpp" DESTINATION "${ferryToolsFolder}" COMPONENT tools)

# Manual pages, from what the programs say with --help. Without Python there are none.
find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
    execute_process(COMMAND "${Python3_EXECUTABLE}" -B "${PROJECT_SOURCE_DIR}/tools/manPages" "${PROJECT_BINARY_DIR}/man"
        RESULT_VARIABLE manPagesStatus ERROR_QUIET)
    if(manPagesStatus EQUAL 0)
        install(DIRECTORY "${PROJECT_BINARY_DIR}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT tools FILES_MATCHING PATTERN "*.1.gz")
    endif()
endif()
