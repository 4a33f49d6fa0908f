# Helpers that register tests: each sets a time-out, the number of cores and the labels. A hang is a failure.

set(FERRY_TEST_TIMEOUT_S 300 CACHE STRING "Seconds after which one test entry counts as hung")

# Environment under which Debian's Open MPI runs as root and with more ranks than cores.
set(ferryMpiEnvironment
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_btl_base_warn_component_unused=0)

# ferryUnitTests(name SOURCES s... LIBRARIES l...): one doctest program of one process, one test entry.
function(ferryUnitTests name_)
    cmake_parse_arguments(PARSE_ARGV 1 argument "" "" "SOURCES;LIBRARIES")
    ferryProgram(${name_} SOURCES ${argument_SOURCES} LIBRARIES ${argument_LIBRARIES} ferryTestMain)
    add_test(NAME ${name_} COMMAND ${name_})
    set_tests_properties(${name_} PROPERTIES TIMEOUT ${FERRY_TEST_TIMEOUT_S} LABELS unit)
endfunction()

# ferryRankTests(name SOURCES s... LIBRARIES l... RANKS n...): one doctest program whose cases are written against ranks;
# it runs once on threads (the cases choose their rank counts) and once under mpirun for each number in RANKS.
function(ferryRankTests name_)
    cmake_parse_arguments(PARSE_ARGV 1 argument "" "" "SOURCES;LIBRARIES;RANKS")
    ferryProgram(${name_} SOURCES ${argument_SOURCES} LIBRARIES ${argument_LIBRARIES} ferryRankTestMain)
    add_test(NAME ${name_}.threads COMMAND ${name_})
    set_tests_properties(${name_}.threads PROPERTIES TIMEOUT ${FERRY_TEST_TIMEOUT_S} LABELS "threads" PROCESSORS 2)
    foreach(rankCount IN LISTS argument_RANKS)
        add_test(NAME ${name_}.mpi${rankCount}
            COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${rankCount} $<TARGET_FILE:${name_}>)
        set_tests_properties(${name_}.mpi${rankCount} PROPERTIES
            TIMEOUT ${FERRY_TEST_TIMEOUT_S} LABELS "mpi" PROCESSORS 2 ENVIRONMENT "${ferryMpiEnvironment}")
    endforeach()
endfunction()
