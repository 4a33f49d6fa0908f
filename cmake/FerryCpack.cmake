# cpack: a .tar.gz (cpack -G TGZ), or packages for Debian (cpack -G DEB): libferry0, libferry-dev and ferry-tools.
# Debian's packages have no component cuda, since the CUDA toolkit comes from elsewhere. They need a build of shared libraries for the system:
#     cmake -DBUILD_SHARED_LIBS=ON -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_LIBDIR=lib/$(gcc -print-multiarch) ...

set(CPACK_PACKAGE_NAME ferry)
set(CPACK_PACKAGE_VENDOR "The Ferry project")
set(CPACK_PACKAGE_CONTACT "The Ferry project <ferry@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "C++ objects and exceptions between the processes of a job")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_INSTALL_DIRECTORY ferry)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# ferryDebianPackage(group name section summary component...): a package of Debian, made of components.
set(about "Ferry carries C++ objects and C++ exceptions between the ranks of a parallel
program, over MPI or threads. When a rank fails, every rank leaves in order,
and one report says what failed where.")
set(debianFiles "${PROJECT_BINARY_DIR}/package/debian")
function(ferryDebianPackage group_ name_ section_ summary_)
    string(TOUPPER ${group_} group)
    foreach(component IN LISTS ARGN)
        string(TOUPPER ${component} upper)
        set(CPACK_COMPONENT_${upper}_GROUP ${group_} PARENT_SCOPE)
    endforeach()
    set(CPACK_DEBIAN_${group}_PACKAGE_NAME ${name_} PARENT_SCOPE)
    set(CPACK_DEBIAN_${group}_PACKAGE_SECTION ${section_} PARENT_SCOPE)
    set(CPACK_DEBIAN_${group}_DESCRIPTION "${summary_}\n${about}" PARENT_SCOPE)
    set(CPACK_COMPONENT_GROUP_${group}_DESCRIPTION "${summary_}\n${about}" PARENT_SCOPE)
    # Only packages of components take these files along, not cmake --install.
    list(GET ARGN 0 first)
    install(FILES "${debianFiles}/copyright" "${debianFiles}/changelog.gz"
        DESTINATION share/doc/${name_} COMPONENT ${first} EXCLUDE_FROM_ALL)
endfunction()

if(BUILD_SHARED_LIBS)
    file(MAKE_DIRECTORY "${debianFiles}")
    ferryDebianPackage(libraries libferry0 libs "C++ objects and exceptions between ranks - shared libraries" libraries)
    ferryDebianPackage(development libferry-dev libdevel "C++ objects and exceptions between ranks - development files"
        serialization device opencl connector remote framework guard boost)
    ferryDebianPackage(programs ferry-tools science "C++ objects and exceptions between ranks - programs" tools)
    set(CPACK_COMPONENTS_ALL libraries serialization device connector remote framework tools)
    if(FERRY_WITH_MPI)
        list(APPEND CPACK_COMPONENTS_ALL guard)
    endif()
    if(TARGET ferry_device_opencl)
        list(APPEND CPACK_COMPONENTS_ALL opencl)
    endif()
    if(TARGET ferry_boost)
        list(APPEND CPACK_COMPONENTS_ALL boost)
    endif()
    # libferry0 and ferry-tools: the libraries that they need. libferry-dev has links and texts alone.
    set(libraryFolders "${PROJECT_BINARY_DIR}/serialization" "${PROJECT_BINARY_DIR}/serialization/boost" "${PROJECT_BINARY_DIR}/device"
        "${PROJECT_BINARY_DIR}/device/opencl" "${PROJECT_BINARY_DIR}/device/remote"
        "${PROJECT_BINARY_DIR}/connector"
        "${PROJECT_BINARY_DIR}/framework" "${PROJECT_BINARY_DIR}/guard")
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${libraryFolders})
    set(CPACK_DEBIAN_LIBRARIES_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
    set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
    set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
    set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libferry0 (= ${PROJECT_VERSION}), libboost1.81-dev, libfmt-dev, libspdlog-dev, python3:any")
    if(FERRY_WITH_MPI)
        string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libopenmpi-dev")
    endif()
    file(WRITE "${debianFiles}/triggers" "activate-noawait ldconfig\n")
    set(CPACK_DEBIAN_LIBRARIES_PACKAGE_CONTROL_EXTRA "${debianFiles}/triggers")
    set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "cmake | pkg-config")
    set(CPACK_DEBIAN_PROGRAMS_PACKAGE_DEPENDS "libferry0 (= ${PROJECT_VERSION}), python3:any")
    set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS "openmpi-bin")
    set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS "libferry-dev, python3-clang")

    file(READ "${PROJECT_SOURCE_DIR}/LICENSE" license)
    string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
    string(REGEX REPLACE "\n" "\n " license "${license}")
    string(STRIP "${license}" license)
    file(WRITE "${debianFiles}/copyright"
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Ferry\n\n"
        "Files: *\nCopyright: (c) 2026 the authors of Ferry\nLicense: BSL-1.0\n ${license}\n")
    string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
    file(WRITE "${debianFiles}/changelog"
        "ferry (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * CHANGELOG.md of Ferry says what is new.\n\n"
        " -- The Ferry project <ferry@example.org>  ${now}\n")
    execute_process(COMMAND gzip -9nkf "${debianFiles}/changelog" ERROR_QUIET)
endif()
include(CPack)
