# Waits without an end, threads that meet in one connector, and reports that name something else than the cause.
foreach(name jobDeadlock twoThreads masterElsewhere lostCause threadOrigin sameName oneWireName threadExit causeAtEnd handedOver twoCopies
        clashAlone mpiFirst destroyedInCall)
    ferryFaultProgram(${name})
endforeach()
target_sources(fault_oneWireName PRIVATE oneWireNameElsewhere.cpp)
set_target_properties(fault_oneWireName PROPERTIES UNITY_BUILD OFF)

# runtimeFault(name program [MPI n] ARGUMENTS a... EXPECT options of expectOutput.py...)
function(runtimeFault name_ program_)
    cmake_parse_arguments(PARSE_ARGV 2 argument "" "MPI" "ARGUMENTS;EXPECT")
    set(launcher)
    set(mpi)
    set(label threads)
    if(argument_MPI)
        set(launcher ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${argument_MPI})
        set(mpi MPI MANY_LAUNCHES)
        set(label mpi)
    endif()
    add_test(NAME fault.${name_}
        COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/expectOutput.py" ${argument_EXPECT} --
            ${launcher} $<TARGET_FILE:fault_${program_}> ${argument_ARGUMENTS})
    ferryTestProperties(fault.${name_} ${mpi} WAITS LABELS ${label})
endfunction()

foreach(how receive barrier guarded each)
    foreach(slaves 1 2)
        if(how STREQUAL each AND slaves EQUAL 1)
            continue()    # two slaves wait for each other
        endif()
        math(EXPR ranks "${slaves} + 1")
        runtimeFault(jobDeadlock.${how}.threads${slaves} jobDeadlock ARGUMENTS ${how} --ferry-slaves ${slaves} EXPECT --has "^Deadlock$")
        runtimeFault(jobDeadlock.${how}.mpi${ranks} jobDeadlock MPI ${ranks} ARGUMENTS ${how} EXPECT --has "^Deadlock$")
    endforeach()
endforeach()

set(refusedThread "thread [0-9]+ .* has used a connector or master of rank [01] while a call of thread [0-9]+ .* lasts")
foreach(how send receive)
    set(expected --or-has "${refusedThread}" --has "^1999000 1999000$")
    runtimeFault(twoThreads.${how}.threads twoThreads ARGUMENTS ${how} EXPECT ${expected})
    runtimeFault(twoThreads.${how}.mpi2 twoThreads MPI 2 ARGUMENTS ${how} EXPECT ${expected})
endforeach()
runtimeFault(handedOver.threads handedOver EXPECT --has "^1999000 1999000$")
runtimeFault(handedOver.mpi2 handedOver MPI 2 EXPECT --has "^1999000 1999000$")
runtimeFault(handedOver.master.threads handedOver ARGUMENTS job EXPECT --has "^42 43$")
runtimeFault(handedOver.master.mpi2 handedOver MPI 2 ARGUMENTS job EXPECT --has "^42 43$")
runtimeFault(masterElsewhere.threads masterElsewhere ARGUMENTS --ferry-slaves 2
    EXPECT --has "^UsageError: thread [0-9]+ \\(rank [12]\\) has used a connector or master of rank 0" --lacks "timeout|^10[0-9]$")

# With many tests at once, a rank takes seconds to make a stack readable.
set(patient --ferry-grace 60)

# A sanitizer occupies the place of the throw hook.
if(FERRY_THROW_HOOK AND NOT ferrySanitizers)
    foreach(how barrier receive close)
        runtimeFault(lostCause.${how}.threads lostCause ARGUMENTS ${how} ${patient} EXPECT --status failure --has "the cause")
        runtimeFault(lostCause.${how}.mpi3 lostCause MPI 3 ARGUMENTS ${how} ${patient} EXPECT --status failure --has "the cause")
    endforeach()
endif()
runtimeFault(threadOrigin.mpi2 threadOrigin MPI 2 EXPECT --has "^rank 1, rank 1$")

runtimeFault(sameName.threads sameName EXPECT --has "^30 B-12$")
runtimeFault(sameName.mpi2 sameName MPI 2 EXPECT --has "^30 B-12$")

set(rooms "one::Room \\(.*oneWireName.cpp:[0-9]+\\) and two::Hall \\(.*oneWireName.cpp:[0-9]+\\) have one wire name, one::Room: .*FERRY_CLASS_NAMED\\(Room,")
set(asks "Ask \\(.*oneWireName.*.cpp:[0-9]+\\) and .*Ask \\(.*oneWireName.*.cpp:[0-9]+\\) have one wire name, Ask: .*FERRY_CLASS_NAMED\\(Ask,")
set(oneLine --status 2 --has "^ferry: the job does not start: .*${rooms}" --has "^ferry: the job does not start: .*${asks}"
    --lacks "terminate called|has begun")
runtimeFault(oneWireName.threads oneWireName EXPECT ${oneLine})
runtimeFault(oneWireName.mpi2 oneWireName MPI 2 EXPECT ${oneLine})

set(oneLine --status 2 --has "^ferry: the program does not start: .*one::Room \\(.*clashAlone.cpp:[0-9]+\\) and two::Hall \\(.*clashAlone.cpp:[0-9]+\\) have one wire name"
    --lacks "terminate called|has begun")
runtimeFault(clashAlone.simulated clashAlone ARGUMENTS simulated EXPECT ${oneLine})
runtimeFault(clashAlone.alone clashAlone EXPECT ${oneLine})
runtimeFault(clashAlone.mpi2 clashAlone MPI 2 EXPECT ${oneLine})
runtimeFault(mpiFirst.alone mpiFirst EXPECT --has "^4 ranks$")
runtimeFault(mpiFirst.mpi1 mpiFirst MPI 1 EXPECT --has "^1 ranks$")

foreach(how rank region handler master)
    set(expected --status failure --has "pthread_exit" --has "^unwound$" --lacks "FATAL|not rethrown|terminate called")
    runtimeFault(threadExit.${how}.threads threadExit ARGUMENTS ${how} ${patient} --ferry-slaves 1 EXPECT ${expected})
    runtimeFault(threadExit.${how}.mpi2 threadExit MPI 2 ARGUMENTS ${how} ${patient} EXPECT ${expected})
endforeach()

foreach(how exitDestructor exitHandler handlerExit waitingThread waitingMaster)
    if(ferrySanitizers AND how STREQUAL exitDestructor)
        continue()    # without the hook, an exception that runs a destructor is not known
    endif()
    set(expected --status failure --has "the cause" --lacks "std::terminate")
    runtimeFault(causeAtEnd.${how}.threads causeAtEnd ARGUMENTS ${how} ${patient} EXPECT ${expected})
    runtimeFault(causeAtEnd.${how}.mpi3 causeAtEnd MPI 3 ARGUMENTS ${how} ${patient} EXPECT ${expected})
endforeach()
foreach(case broken full quick unwritten names)
    if(ferryThreadSanitizer AND case MATCHES "full|unwritten")
        continue()    # the sanitizer runs no handler while the thread of the signal waits within libc
    endif()
    add_test(NAME fault.reportReaders.${case}.threads COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/reportReaders.py"
        $<TARGET_FILE:fault_causeAtEnd> ${case})
    ferryTestProperties(fault.reportReaders.${case}.threads WAITS LABELS threads)
endforeach()
if(NOT ferrySanitizers)
    add_test(NAME fault.reportReaders.lost.ferryrun COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/reportReaders.py"
        $<TARGET_FILE:fault_causeAtEnd> lost "${PROJECT_SOURCE_DIR}/tools/ferryrun")
    ferryTestProperties(fault.reportReaders.lost.ferryrun MPI MANY_LAUNCHES WAITS LABELS mpi)
endif()

# A plugin with its own copy of the archives. The plugin hides their symbols.
if(NOT BUILD_SHARED_LIBS)
    add_library(fault_twoCopiesPlugin MODULE twoCopiesPlugin.cpp)
    target_link_libraries(fault_twoCopiesPlugin PRIVATE ferry::ferry)
    target_link_options(fault_twoCopiesPlugin PRIVATE -Wl,--exclude-libs,ALL)
    runtimeFault(twoCopies twoCopies ARGUMENTS $<TARGET_FILE:fault_twoCopiesPlugin> EXPECT --has "^ferry: two copies of Ferry are in this process")
endif()

set(inCall --status aborted
    --has "thread [0-9]+ .* has destroyed the connector of rank [01] while a call of thread [0-9]+ .* lasts: a connector that is of no group")
foreach(how elsewhere ownCall wait)
    runtimeFault(destroyedInCall.${how}.alone destroyedInCall ARGUMENTS ${how} EXPECT ${inCall})
    runtimeFault(destroyedInCall.${how}.mpi2 destroyedInCall MPI 2 ARGUMENTS ${how} EXPECT ${inCall})
endforeach()
runtimeFault(destroyedInCall.over.alone destroyedInCall ARGUMENTS over EXPECT --has "^over$")
runtimeFault(destroyedInCall.over.mpi2 destroyedInCall MPI 2 ARGUMENTS over EXPECT --has "^over$")

# What Open MPI leaks in a program without a launcher is of modules that it has unloaded. No suppression can name them.
if(ferrySanitizers)
    set_property(TEST fault.mpiFirst.alone fault.destroyedInCall.over.alone
        PROPERTY ENVIRONMENT ${ferryMpiEnvironment} ${ferryLaunchSanitizerEnvironment})
endif()
