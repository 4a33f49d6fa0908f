# cmake --install: libraries, the headers as a tree below include/ferry, the programs, and the files that find_package(ferry) and pkg-config
# read.
#
# Components: serialization, device, opencl and cuda (need no MPI), connector, remote, framework, guard, boost and tools. A component needs the ones below it.
# With BUILD_SHARED_LIBS, the component libraries has all shared libraries, which each of the other ones needs.
include(CMakePackageConfigHelpers)

set(ferryPackageFolder "${CMAKE_INSTALL_LIBDIR}/cmake/ferry")

# These packages consist of headers, and only the libraries use them. A user of the package does not need them.
foreach(target ferry_serialization ferry_device ferry_connector ferry_device_remote ferry_framework)
    get_target_property(linked ${target} INTERFACE_LINK_LIBRARIES)
    list(REMOVE_ITEM linked "$<LINK_ONLY:CLI11::CLI11>" "$<LINK_ONLY:ferryXxhash>" "$<LINK_ONLY:nlohmann_json::nlohmann_json>")
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${linked}")
endforeach()

# Shared libraries and programs find each other wherever the installed tree lies. A package for the system needs no such path.
set(ferryLibraryPath)
set(ferryProgramPath)
if(BUILD_SHARED_LIBS AND NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(ferryLibraryPath "$ORIGIN")
    file(RELATIVE_PATH toLibraries "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
    set(ferryProgramPath "$ORIGIN/${toLibraries}")
endif()

# ferryInstallComponent(component target...): the libraries and headers of a component, and what find_package reads of it.
function(ferryInstallComponent component_)
    set(runtime ${component_})
    if(BUILD_SHARED_LIBS AND NOT component_ STREQUAL "cuda")    # which no package of Debian has
        set(runtime libraries)
    endif()
    foreach(target IN LISTS ARGN)
        get_target_property(type ${target} TYPE)
        if(type STREQUAL "SHARED_LIBRARY")
            set_target_properties(${target} PROPERTIES INSTALL_RPATH "${ferryLibraryPath}")
        endif()
    endforeach()
    install(TARGETS ${ARGN} EXPORT ferry_${component_}
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${runtime} NAMELINK_COMPONENT ${component_}
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${component_}
        FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT ${component_})
    install(EXPORT ferry_${component_} FILE ferry_${component_}.cmake NAMESPACE ferry:: DESTINATION "${ferryPackageFolder}"
        COMPONENT ${component_})
endfunction()

ferryInstallComponent(serialization ferry_serialization)
if(TARGET ferry_boost)
    ferryInstallComponent(boost ferry_boost)
endif()
ferryInstallComponent(device ferry_device)
if(TARGET ferry_device_opencl)
    ferryInstallComponent(opencl ferry_device_opencl)
endif()
if(TARGET ferry_device_cuda)
    ferryInstallComponent(cuda ferry_device_cuda)
endif()
ferryInstallComponent(connector ferry_connector)
ferryInstallComponent(remote ferry_device_remote)
ferryInstallComponent(framework ferry_framework ferry)
if(FERRY_WITH_MPI)
    ferryInstallComponent(guard ferry_pmpi ferry_pmpi_shared)
    # ferryrun --guard preloads this library; no program links it.
    set_target_properties(ferry_guard PROPERTIES INSTALL_RPATH "${ferryLibraryPath}")
    set(guardComponent guard)
    if(BUILD_SHARED_LIBS)
        set(guardComponent libraries)
    endif()
    install(TARGETS ferry_guard LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${guardComponent})
    get_property(otherGuards TARGET guards PROPERTY ferryOtherGuards)
    install(FILES ${otherGuards} DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${guardComponent} OPTIONAL)
    # The wheel ferry-guard (packaging/wheel).
    if(SKBUILD)
        install(TARGETS ferry_guard LIBRARY DESTINATION ferry_guard/lib COMPONENT wheel)
        install(FILES ${otherGuards} DESTINATION ferry_guard/lib COMPONENT wheel)
        install(PROGRAMS "${PROJECT_SOURCE_DIR}/tools/ferryrun" DESTINATION ferry_guard/bin COMPONENT wheel)
    endif()
endif()

configure_package_config_file(
    "${CMAKE_CURRENT_LIST_DIR}/ferryConfig.cmake.in" "${PROJECT_BINARY_DIR}/package/ferryConfig.cmake"
    INSTALL_DESTINATION "${ferryPackageFolder}" NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change the interface and the wire format.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/ferryConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
    "${PROJECT_BINARY_DIR}/package/ferryConfig.cmake" "${PROJECT_BINARY_DIR}/package/ferryConfigVersion.cmake"
    DESTINATION "${ferryPackageFolder}" COMPONENT serialization)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT serialization)

# ferrygen is installed beside the file that calls it.
install(FILES "${CMAKE_CURRENT_LIST_DIR}/FerryGenerateViews.cmake" DESTINATION "${ferryPackageFolder}" COMPONENT serialization)
install(PROGRAMS "${PROJECT_SOURCE_DIR}/tools/ferrygen" DESTINATION "${ferryPackageFolder}/tools" COMPONENT serialization)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tools/ferrygenParts" DESTINATION "${ferryPackageFolder}/tools" COMPONENT serialization
    FILES_MATCHING REGEX "\\.(py|html|css|js)$")

include(FerryPkgConfig)
include(FerryPrograms)
include(FerryCpack)
