# Functions that register tests. Each sets a timeout, the number of cores, the environment and the labels. A hang is a failure.
#
# Labels: unit (one process, no ranks), threads (ranks as threads), mpi (under mpirun), tools and install (the house itself);
# all and long (the later tiers of ./check, see CONTRIBUTING.md).

set(FERRY_TEST_TIMEOUT_S 1000 CACHE STRING "Seconds after which one test entry counts as hung; twice as many with a sanitizer")
set(FERRY_LONG_TEST_TIMEOUT_S 7200 CACHE STRING "Seconds after which a test entry with the label long counts as hung")

# The environment in which Debian's Open MPI runs as root and with more ranks than cores.
# When a rank ends with a status other than 0, the launcher kills the others at once and not after 2 s.
# Tests that check how ranks end on SIGTERM set the time themselves.
# A rank that waits in MPI lets other processes have its core, since several tests run at once on each core.
set(ferryMpiEnvironment
    OMPI_MCA_odls_base_sigkill_timeout=0 OMPI_MCA_mpi_yield_when_idle=1
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_btl_base_warn_component_unused=0)

# The environment for sanitizers, if this build has any. Under MPI the slow unwinder is necessary:
# Open MPI is built without frame pointers, so the fast unwinder loses the names that the suppressions match.
set(ferrySanitizers OFF)
set(ferrySanitizerEnvironment)
set(ferryMpiSanitizerEnvironment)
set(ferryLaunchSanitizerEnvironment)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
    set(ferrySanitizers ON)
    # handle_sigill: undefined behaviour stops the program at an illegal instruction, and the address sanitizer prints the stack.
    set(addressOptions "handle_sigill=1:detect_leaks=1:detect_stack_use_after_return=1:check_initialization_order=1:strict_string_checks=1")
    set(commonSanitizerEnvironment
        "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1"
        "LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_LIST_DIR}/sanitizers/leaks.supp:print_suppressions=0"
        "TSAN_OPTIONS=history_size=7:second_deadlock_stack=1:exitcode=66")
    set(ferrySanitizerEnvironment "ASAN_OPTIONS=${addressOptions}" ${commonSanitizerEnvironment})
    set(ferryMpiSanitizerEnvironment "ASAN_OPTIONS=${addressOptions}:fast_unwind_on_malloc=0" ${commonSanitizerEnvironment})
    set(ferryLaunchSanitizerEnvironment "ASAN_OPTIONS=${addressOptions}:detect_leaks=0" ${commonSanitizerEnvironment})
endif()

# ferryTestProperties(name... [MPI] [MANY_LAUNCHES] [WAITS] [CORES n] [LABELS l...]): sets the common properties of entries of add_test.
# ./check runs ctest with six places for each core. A test takes four places for each of CORES cores, 1 by default, since no test computes all
# the time.
# WAITS: the test waits for launchers and limits most of its time, and takes one place.
# MANY_LAUNCHES: under mpirun this entry looks for no leaks, since the slow unwinder takes two thirds of each of its launches.
# The same code runs on threads too, and leaks are looked for there.
function(ferryTestProperties)
    cmake_parse_arguments(PARSE_ARGV 0 argument "MPI;MANY_LAUNCHES;WAITS" "CORES" "LABELS")
    set(environment ${ferrySanitizerEnvironment})
    if(argument_MPI AND argument_MANY_LAUNCHES)
        set(environment ${ferryMpiEnvironment} ${ferryLaunchSanitizerEnvironment})
    elseif(argument_MPI)
        set(environment ${ferryMpiEnvironment} ${ferryMpiSanitizerEnvironment})
    endif()
    set(timeout ${FERRY_TEST_TIMEOUT_S})
    if(ferrySanitizers)
        math(EXPR timeout "2 * ${timeout}")
    endif()
    if("long" IN_LIST argument_LABELS)
        set(timeout ${FERRY_LONG_TEST_TIMEOUT_S})
    endif()
    if(NOT argument_CORES)
        set(argument_CORES 1)
    endif()
    math(EXPR places "4 * ${argument_CORES}")
    set(cost)
    if(argument_CORES GREATER 1)    # ctest gives free places to the next test that fits, so a test with many places would come last
        set(cost COST 200)
    endif()
    if(argument_WAITS)
        set(places 1)
        set(cost)
    endif()
    set_tests_properties(${argument_UNPARSED_ARGUMENTS} PROPERTIES
        TIMEOUT ${timeout} PROCESSORS ${places} ${cost} LABELS "${argument_LABELS}" ENVIRONMENT "${environment}")
endfunction()

# ferryLater(tier [SANITIZED] test...): these tests run in a later tier of ./check only, all or long.
# SANITIZED: this holds in builds with a sanitizer only. A launch takes ten times as long there, and the optimised build makes it in any
# case.
function(ferryLater tier_)
    cmake_parse_arguments(PARSE_ARGV 1 argument "SANITIZED" "" "")
    if(ferrySanitizers OR NOT argument_SANITIZED)
        set_property(TEST ${argument_UNPARSED_ARGUMENTS} APPEND PROPERTY LABELS ${tier_})
    endif()
endfunction()

# ferryLaterRanks(tier rankCount EARLY n... TESTS test...): moves the tests with this rank count to a later tier, unless the count is in
# EARLY.
# A build with a sanitizer has one rank count, which is never moved.
function(ferryLaterRanks tier_ rankCount_)
    cmake_parse_arguments(PARSE_ARGV 2 argument "" "" "EARLY;TESTS")
    if(NOT ferrySanitizers AND NOT rankCount_ IN_LIST argument_EARLY)
        ferryLater(${tier_} ${argument_TESTS})
    endif()
endfunction()

# ferryBeginEarly(test...): these tests take longest, so a first run begins them first. Later runs know the time of each test.
function(ferryBeginEarly)
    set_tests_properties(${ARGN} PROPERTIES COST 100)
endfunction()

# ferryUnitTests(name [PRECOMPILED] [SOURCES s...] [ONE_THREAD s...] LIBRARIES l... [ENTRIES part=filter...]): one doctest program of one
# process.
# ONE_THREAD: sources whose cases start no threads, or only threads that other sources start, too. The thread sanitizer sees nothing new in
# them. Its build leaves them out, and a program without other sources as a whole.
# PRECOMPILED: the sources include much of <ferry/ferry.hpp>, and the program links the framework.
# ENTRIES: the program is not one test entry but several, <name>.<part> with the cases that doctest's option `filter` picks. A program
# with half a minute of work needs this: on a busy machine with a sanitizer it takes ten times as long.
function(ferryUnitTests name_)
    cmake_parse_arguments(PARSE_ARGV 1 argument "PRECOMPILED" "" "SOURCES;ONE_THREAD;LIBRARIES;ENTRIES")
    set(sources ${argument_SOURCES})
    if(NOT ferryThreadSanitizer)
        list(APPEND sources ${argument_ONE_THREAD})
    elseif(NOT sources)
        return()
    endif()
    ferryProgram(${name_} SOURCES ${sources} LIBRARIES ${argument_LIBRARIES} ferryTestMain)
    if(argument_PRECOMPILED)
        ferryUsePrecompiled(ferryPrecompiledForTests ${name_})
    else()
        ferryUsePrecompiled(ferryPrecompiledStandard ${name_})
    endif()
    if(NOT argument_ENTRIES)
        add_test(NAME ${name_} COMMAND ${name_})
        ferryTestProperties(${name_} LABELS unit)
    endif()
    foreach(entry IN LISTS argument_ENTRIES)
        string(REGEX MATCH "^([^=]+)=(.+)$" matched "${entry}")
        add_test(NAME ${name_}.${CMAKE_MATCH_1} COMMAND ${name_} ${CMAKE_MATCH_2})
        ferryTestProperties(${name_}.${CMAKE_MATCH_1} LABELS unit)
    endforeach()
endfunction()

# ferryRankCounts(variable n...): sets the rank counts for mpirun. With a sanitizer, the only count is 4, if 4 is in the list.
# A launch takes ten times as long there, and a few ranks on few cores show the same errors as many.
function(ferryRankCounts variable_)
    set(counts ${ARGN})
    if(ferrySanitizers AND 4 IN_LIST counts)
        set(counts 4)
    endif()
    set(${variable_} ${counts} PARENT_SCOPE)
endfunction()

# ferryRankTests(name [LEAKS_ON_THREADS] SOURCES s... [SAME_ON_THREADS s...] LIBRARIES l... RANKS n... [LATER_RANKS n...]): one doctest
# program with cases for ranks. The program runs once on threads (the cases choose their rank counts) and once under mpirun for each number
# in RANKS (ferryRankCounts). In the tier `all`, it also runs with the numbers in LATER_RANKS.
# SAME_ON_THREADS: those of the sources whose cases do the same on each transport. Under mpirun they run with the numbers in RANKS, and not
# with a sanitizer.
# LEAKS_ON_THREADS: under mpirun it looks for no leaks (MANY_LAUNCHES). ferryConnectorTests.leaks.mpi2 looks for those of the transport over MPI.
function(ferryRankTests name_)
    cmake_parse_arguments(PARSE_ARGV 1 argument "LEAKS_ON_THREADS" "" "SOURCES;SAME_ON_THREADS;LIBRARIES;RANKS;LATER_RANKS")
    set(leaks)
    if(argument_LEAKS_ON_THREADS)
        set(leaks MANY_LAUNCHES)
    endif()
    ferryProgram(${name_} SOURCES ${argument_SOURCES} LIBRARIES ${argument_LIBRARIES} ferryRankTestMain)
    ferryUsePrecompiled(ferryPrecompiledForTests ${name_})
    add_test(NAME ${name_}.threads COMMAND ${name_})
    ferryTestProperties(${name_}.threads CORES 1 LABELS threads)
    if(NOT FERRY_WITH_MPI)
        return()
    endif()
    ferryRankCounts(rankCounts ${argument_RANKS} ${argument_LATER_RANKS})
    list(TRANSFORM argument_SAME_ON_THREADS PREPEND "*/" OUTPUT_VARIABLE same)
    list(JOIN same "," same)
    foreach(rankCount IN LISTS rankCounts)
        set(leftOut)
        if(same AND (ferrySanitizers OR NOT rankCount IN_LIST argument_RANKS))
            set(leftOut "--source-file-exclude=${same}")
        endif()
        add_test(NAME ${name_}.mpi${rankCount}
            COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${rankCount} $<TARGET_FILE:${name_}> ${leftOut})
        ferryTestProperties(${name_}.mpi${rankCount} MPI ${leaks} CORES 1 LABELS mpi)
        ferryLaterRanks(all ${rankCount} EARLY ${argument_RANKS} TESTS ${name_}.mpi${rankCount})
    endforeach()
endfunction()
