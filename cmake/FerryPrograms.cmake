# The programs that are installed: ferry with its parts, and the former names ferryrun and ferryFile.

set(ferryToolsFolder share/ferry)    # the program ferry finds this folder beside its own
foreach(program ferryFile ferryProbe)
    if(TARGET ${program})
        set_target_properties(${program} PROPERTIES INSTALL_RPATH "${ferryProgramPath}")
        install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
    endif()
endforeach()
install(PROGRAMS "${PROJECT_SOURCE_DIR}/tools/ferry" "${PROJECT_SOURCE_DIR}/tools/ferryrun"
    DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tools/ferryParts" DESTINATION "${ferryToolsFolder}" COMPONENT tools
    FILES_MATCHING PATTERN "*.py" PATTERN "*.in")
install(FILES "${PROJECT_SOURCE_DIR}/version.hpp" DESTINATION "${ferryToolsFolder}" COMPONENT tools)
