# The files of pkg-config: ferry (everything), ferry-connector, ferry-serialization, and ferry-guard for plain MPI code.
# They name no absolute folder of Ferry, so an installed tree may be moved.

file(RELATIVE_PATH toPrefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" toPrefix "${toPrefix}")

# ferryPkgConfig(file component DESCRIPTION text [REQUIRES package...] [CFLAGS flag...] LIBS flag... [PRIVATE flag...])
# PRIVATE: libraries that a shared Ferry links by itself.
function(ferryPkgConfig file_ component_)
    cmake_parse_arguments(PARSE_ARGV 2 argument "" "DESCRIPTION" "REQUIRES;CFLAGS;LIBS;PRIVATE")
    set(publicLibraries ${argument_LIBS})
    set(privateLibraries)
    if(BUILD_SHARED_LIBS)
        set(privateLibraries ${argument_PRIVATE})
    else()
        list(APPEND publicLibraries ${argument_PRIVATE})
    endif()
    list(JOIN argument_REQUIRES ", " required)
    list(JOIN argument_CFLAGS " " flags)
    list(JOIN publicLibraries " " publicLibraries)
    list(JOIN privateLibraries " " privateLibraries)
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/package/${file_}.pc" @ONLY CONTENT [[
prefix=${pcfiledir}/@toPrefix@
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
libdir=${prefix}/@CMAKE_INSTALL_LIBDIR@

Name: @file_@
Description: @argument_DESCRIPTION@
Version: @PROJECT_VERSION@
Requires: @required@
Cflags: -I${includedir} @flags@
Libs: -L${libdir} @publicLibraries@
Libs.private: @privateLibraries@
]])
    install(FILES "${PROJECT_BINARY_DIR}/package/${file_}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT ${component_})
endfunction()

set(backtrace)
if(ferryBacktraceFolder)
    set(backtrace -lbacktrace)
endif()
# MPI's libraries as flags, whichever wrapper of MPI has named them. Folders where compilers look anyway are left out.
set(mpiFlags)
set(mpiLibraries)
if(FERRY_WITH_MPI)
    get_target_property(folders MPI::MPI_CXX INTERFACE_INCLUDE_DIRECTORIES)
    foreach(folder IN LISTS folders)
        if(folder AND NOT folder IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
            list(APPEND mpiFlags "-I${folder}")
        endif()
    endforeach()
    get_target_property(libraries MPI::MPI_CXX INTERFACE_LINK_LIBRARIES)
    list(FILTER libraries INCLUDE REGEX "^(/.*|-l.*)$")
    foreach(library IN LISTS libraries)
        if(library MATCHES "/lib([^/]+)\\.(so|a|dylib)$")
            set(name "${CMAKE_MATCH_1}")
            get_filename_component(folder "${library}" DIRECTORY)
            if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
                list(APPEND mpiLibraries "-L${folder}")
            endif()
            list(APPEND mpiLibraries "-l${name}")
        else()
            list(APPEND mpiLibraries "${library}")
        endif()
    endforeach()
endif()

ferryPkgConfig(ferry-serialization serialization DESCRIPTION "C++ objects as ints, files and graphs, and exceptions that travel"
    REQUIRES fmt LIBS -lferry_serialization PRIVATE ${backtrace} -ldl)
ferryPkgConfig(ferry-device device DESCRIPTION "Deep copies of C++ objects to accelerators"
    REQUIRES "ferry-serialization = ${PROJECT_VERSION}" LIBS -lferry_device PRIVATE -lpthread)    # nvcc does not know -pthread
if(TARGET ferry_device_opencl)
    ferryPkgConfig(ferry-device-opencl opencl DESCRIPTION "Ferry's devices of OpenCL"
        REQUIRES "ferry-device = ${PROJECT_VERSION}" LIBS -Wl,-u,ferryMakeOpenClRuntime -lferry_device_opencl PRIVATE -lOpenCL)
endif()
if(TARGET ferry_device_cuda)    # flags that nvcc knows too
    ferryPkgConfig(ferry-device-cuda cuda DESCRIPTION "Ferry's devices of CUDA"
        REQUIRES "ferry-device = ${PROJECT_VERSION}" LIBS -Xlinker -u -Xlinker ferryMakeCudaRuntime -lferry_device_cuda
        PRIVATE "-L${CUDAToolkit_LIBRARY_DIR}" -lcudart_static -lrt -ldl)
endif()
ferryPkgConfig(ferry-device-remote remote DESCRIPTION "Deep copies of C++ objects between devices of ranks"
    REQUIRES "ferry-device = ${PROJECT_VERSION}" "ferry-connector = ${PROJECT_VERSION}" LIBS -lferry_device_remote)
ferryPkgConfig(ferry-connector connector DESCRIPTION "Messages, collectives and exceptions between ranks"
    REQUIRES "ferry-serialization = ${PROJECT_VERSION}" CFLAGS ${mpiFlags} LIBS -lferry_connector PRIVATE ${mpiLibraries} -pthread)
ferryPkgConfig(ferry framework DESCRIPTION "${PROJECT_DESCRIPTION}"
    REQUIRES "ferry-connector = ${PROJECT_VERSION}" spdlog LIBS -lferry_framework)
if(FERRY_WITH_MPI)
    set(guardRequires fmt)
    if(BUILD_SHARED_LIBS)    # otherwise libferry_pmpi.so holds the layers below it
        set(guardRequires "ferry-connector = ${PROJECT_VERSION}")
    endif()
    ferryPkgConfig(ferry-guard guard DESCRIPTION "Guarded regions for programs that call MPI themselves"
        REQUIRES ${guardRequires} CFLAGS ${mpiFlags} LIBS -lferry_pmpi ${mpiLibraries})
endif()
