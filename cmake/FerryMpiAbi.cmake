# The standard ABI of MPI 5 (mpi_abi.h, libmpi_abi.so): programs that are built with it run with each MPI that has it.
# FERRY_MPI_ABI=ON builds against it, with the wrapper mpicxx_abi of MPICH 5 or with what MPI_CXX_COMPILER says.
#
# FindMPI leaves out the definition MPI_ABI of that wrapper. The compiler would then see the header of one MPI, and the linker the library of
# all: programs abort in MPI_Init, or do not link. So header and library are compared when Ferry is configured.
if(FERRY_MPI_ABI)
    if(NOT MPI_CXX_COMPILER)
        find_program(MPI_CXX_COMPILER mpicxx_abi DOC "The compiler wrapper of an MPI for the standard ABI")
        if(NOT MPI_CXX_COMPILER)
            message(FATAL_ERROR "FERRY_MPI_ABI needs mpicxx_abi, which was not found: put the folder of MPICH 5 into PATH "
                "(pip install mpich), or name the wrapper with MPI_CXX_COMPILER")
        endif()
    endif()
    set(MPI_CXX_COMPILE_DEFINITIONS MPI_ABI CACHE STRING "Definitions for programs that call MPI" FORCE)
endif()

# Stops where the header and the library of MPI are not of one ABI. Looks at the header through a compiler, and at the name of the library.
function(ferryCheckMpiAbi)
    get_target_property(libraries MPI::MPI_CXX INTERFACE_LINK_LIBRARIES)
    set(linksAbi OFF)
    if(libraries MATCHES "mpi_abi")
        set(linksAbi ON)
    endif()
    set(source "${CMAKE_BINARY_DIR}/mpiAbi.cpp")
    file(WRITE "${source}" "#include <mpi.h>\n#ifdef MPI_ABI_VERSION\nferryMpiAbi=1\n#else\nferryMpiAbi=0\n#endif\n")
    get_target_property(folders MPI::MPI_CXX INTERFACE_INCLUDE_DIRECTORIES)
    get_target_property(definitions MPI::MPI_CXX INTERFACE_COMPILE_DEFINITIONS)
    set(flags)
    foreach(folder IN LISTS folders)
        if(folder)
            list(APPEND flags "-I${folder}")
        endif()
    endforeach()
    foreach(definition IN LISTS definitions MPI_CXX_COMPILE_DEFINITIONS)
        if(definition)
            list(APPEND flags "-D${definition}")
        endif()
    endforeach()
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -E -P ${flags} "${source}" OUTPUT_VARIABLE seen ERROR_VARIABLE said RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "Ferry cannot read the header of MPI:\n${said}")
    endif()
    set(seesAbi OFF)
    if(seen MATCHES "ferryMpiAbi=1")
        set(seesAbi ON)
    endif()
    if(linksAbi AND NOT seesAbi)
        message(FATAL_ERROR "The library of MPI is that of the standard ABI (libmpi_abi), and mpi.h is that of one MPI: "
            "FindMPI has left out the definition MPI_ABI of the wrapper. Configure with -DFERRY_MPI_ABI=ON")
    elseif(seesAbi AND NOT linksAbi)
        message(FATAL_ERROR "mpi.h is that of the standard ABI (MPI_ABI), and the library of MPI is that of one MPI: ${libraries}. "
            "Name a wrapper for libmpi_abi with MPI_CXX_COMPILER, such as mpicxx_abi, or configure with -DFERRY_MPI_ABI=OFF")
    elseif(FERRY_MPI_ABI AND NOT linksAbi)
        message(FATAL_ERROR "FERRY_MPI_ABI is ON, and the MPI that was found has no standard ABI: ${libraries}. "
            "Name a wrapper for libmpi_abi with MPI_CXX_COMPILER, such as mpicxx_abi of MPICH 5")
    endif()
endfunction()
