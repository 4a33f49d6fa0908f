# Sets ferryHasFortran: whether there is a Fortran compiler with the modules of this MPI (MPI::MPI_Fortran). Only tests need it.
set(ferryHasFortran OFF)
include(CheckLanguage)
check_language(Fortran)
if(CMAKE_Fortran_COMPILER)
    enable_language(Fortran)
    find_package(MPI QUIET COMPONENTS Fortran)
    get_filename_component(mpiFolder "${MPI_CXX_COMPILER}" DIRECTORY)
    get_filename_component(mpiFortranFolder "${MPI_Fortran_COMPILER}" DIRECTORY)
    if(MPI_Fortran_HAVE_F08_MODULE AND mpiFolder STREQUAL mpiFortranFolder)    # the wrapper that is found first may belong to another MPI
        set(ferryHasFortran ON)
    endif()
endif()
