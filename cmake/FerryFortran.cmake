# Sets ferryHasFortran: whether there are a Fortran compiler and the modules of this MPI for it (MPI::MPI_Fortran). For tests alone.
set(ferryHasFortran OFF)
include(CheckLanguage)
check_language(Fortran)
if(CMAKE_Fortran_COMPILER)
    enable_language(Fortran)
    find_package(MPI QUIET COMPONENTS Fortran)
    get_filename_component(mpiFolder "${MPI_CXX_COMPILER}" DIRECTORY)
    get_filename_component(mpiFortranFolder "${MPI_Fortran_COMPILER}" DIRECTORY)
    if(MPI_Fortran_HAVE_F08_MODULE AND mpiFolder STREQUAL mpiFortranFolder)    # another MPI's wrapper may be the first that is found
        set(ferryHasFortran ON)
    endif()
endif()
