# cmake --install: the archives, the headers as a tree below include/ferry, and the files that find_package(ferry) reads.
include(CMakePackageConfigHelpers)

if(TARGET ferryFile)
    install(TARGETS ferryFile RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

set(ferryPackageFolder "${CMAKE_INSTALL_LIBDIR}/cmake/ferry")

# These packages consist of headers, and only the archives use them. A user of the package does not need them.
foreach(target ferry_serialization ferry_connector ferry_framework)
    get_target_property(linked ${target} INTERFACE_LINK_LIBRARIES)
    list(REMOVE_ITEM linked "$<LINK_ONLY:CLI11::CLI11>" "$<LINK_ONLY:ferryXxhash>" "$<LINK_ONLY:nlohmann_json::nlohmann_json>")
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${linked}")
endforeach()

install(TARGETS ferry_serialization ferry_connector ferry_pmpi ferry_pmpi_shared ferry_framework ferry
    EXPORT ferryTargets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
if(TARGET ferry_boost)
    # A separate export set, so that the package is usable without Boost.Serialization too.
    install(TARGETS ferry_boost EXPORT ferryBoostTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
    install(EXPORT ferryBoostTargets NAMESPACE ferry:: DESTINATION "${ferryPackageFolder}")
endif()
install(EXPORT ferryTargets NAMESPACE ferry:: DESTINATION "${ferryPackageFolder}")

configure_package_config_file(
    "${CMAKE_CURRENT_LIST_DIR}/ferryConfig.cmake.in" "${PROJECT_BINARY_DIR}/package/ferryConfig.cmake"
    INSTALL_DESTINATION "${ferryPackageFolder}" NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change the interface and the wire format.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/ferryConfigVersion.cmake" COMPATIBILITY SameMinorVersion)

install(FILES
    "${PROJECT_BINARY_DIR}/package/ferryConfig.cmake" "${PROJECT_BINARY_DIR}/package/ferryConfigVersion.cmake"
    DESTINATION "${ferryPackageFolder}")
# The first line of ferryrun names an interpreter by its path: an interpreter that is found through PATH may be a script that changes the
# variables of the ranks, and that takes longer to start than MPI's launcher.
set(ferryrunProgram "${PROJECT_SOURCE_DIR}/tools/ferryrun")
if(NOT EXISTS /usr/bin/python3)
    file(READ "${ferryrunProgram}" ferryrunText)
    string(REPLACE "#!/usr/bin/python3 " "#!${Python3_EXECUTABLE} " ferryrunText "${ferryrunText}")
    set(ferryrunProgram "${PROJECT_BINARY_DIR}/package/ferryrun")
    file(WRITE "${ferryrunProgram}" "${ferryrunText}")
endif()
install(PROGRAMS "${ferryrunProgram}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS ferry_guard LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")    # ferryrun --guard preloads it; no program links it
# ferrygen is installed beside the file that calls it.
install(FILES "${CMAKE_CURRENT_LIST_DIR}/FerryGenerateViews.cmake" DESTINATION "${ferryPackageFolder}")
install(PROGRAMS "${PROJECT_SOURCE_DIR}/tools/ferrygen" DESTINATION "${ferryPackageFolder}/tools")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tools/ferrygenParts" DESTINATION "${ferryPackageFolder}/tools" FILES_MATCHING
    REGEX "\\.(py|html|css|js)$")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
