# Memory that is wanting: the n-th allocation of a rank fails, or a message is larger than the memory of its receiver.

foreach(program chaos scarce staleReceive bigReceive bigReply graphWithoutMemory jsonWithoutMemory tasksWithoutMemory tableWithoutMemory)
    ferryFaultProgram(${program})
endforeach()

foreach(program graphWithoutMemory jsonWithoutMemory tasksWithoutMemory tableWithoutMemory)
    target_link_libraries(fault_${program} PRIVATE ferryScarceMemory)
endforeach()

set(sweep Python3::Interpreter -B ${CMAKE_CURRENT_SOURCE_DIR}/allocationSweep.py)
set(chaosModes p2p,coll,guard,job,throwjob,jobrefuse,team)
set(scarceModes large,lent,caught,collectives,started,regions,throwon,graphs,files,graphfiles,steps,savedtogether,begun)
set(groupOptions --arguments=--ferry-group-size=2)
set(jobOptions --arguments=20)    # number of tasks

# ferrySweep(name LABELS l... [MPI n] WORDS w...): adds one test entry.
function(ferrySweep name_)
    cmake_parse_arguments(PARSE_ARGV 1 argument "" "MPI" "LABELS;WORDS")
    set(launcher)
    set(mpi)
    if(argument_MPI)
        set(launcher -- ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${argument_MPI})
        set(mpi MPI MANY_LAUNCHES)
    endif()
    add_test(NAME memory.${name_} COMMAND ${sweep} ${argument_WORDS} ${launcher})
    ferryTestProperties(memory.${name_} ${mpi} CORES 1 LABELS ${argument_LABELS})
    if(ferrySanitizers)    # the programs replace some forms of operator new, and the sanitizer replaces the others
        set_tests_properties(memory.${name_} PROPERTIES ENVIRONMENT_MODIFICATION "ASAN_OPTIONS=string_append::alloc_dealloc_mismatch=0")
    endif()
endfunction()

ferrySweep(chaos LABELS threads WORDS $<TARGET_FILE:fault_chaos> p2p,coll,guard --numbers 3:120:29)
# Before its first task is submitted, a master makes at least 120 allocations of its own.
ferrySweep(jobs LABELS threads WORDS $<TARGET_FILE:fault_chaos> job,throwjob --ranks 0 --numbers 171:251:8 ${jobOptions})
ferrySweep(slaves LABELS threads WORDS $<TARGET_FILE:fault_chaos> job,throwjob,jobrefuse --ranks 1 --numbers 5:95:18 ${jobOptions})
ferrySweep(teams LABELS threads WORDS $<TARGET_FILE:fault_chaos> team --ranks 1,2 --numbers 6:16:2)
ferrySweep(often LABELS threads WORDS $<TARGET_FILE:fault_chaos> p2p,guard,job --for 3 --numbers 36:216:45 ${jobOptions})
ferrySweep(scarce LABELS threads WORDS $<TARGET_FILE:fault_scarce> ${scarceModes} --numbers 2:60:19)
# A mailbox of a group makes some hundred allocations.
ferrySweep(begun LABELS threads WORDS $<TARGET_FILE:fault_scarce> begun --numbers 1:200:4)
ferrySweep(groups LABELS threads WORDS $<TARGET_FILE:fault_scarce> groups --ranks 0,1,2 --numbers 20:160:35 ${groupOptions})
ferrySweep(jobsMpi MPI 3 LABELS mpi WORDS $<TARGET_FILE:fault_chaos> job --ranks 0 --numbers 175:215:20 ${jobOptions})
ferrySweep(scarceMpi MPI 3 LABELS mpi WORDS $<TARGET_FILE:fault_scarce> large,graphs --ranks 0 --numbers 9:40:31)
ferrySweep(stale MPI 2 LABELS mpi WORDS $<TARGET_FILE:fault_staleReceive> stale --ranks 0 --numbers 2:50:12)

ferrySweep(chaosAll LABELS threads long WORDS $<TARGET_FILE:fault_chaos> ${chaosModes} --ranks 0,1,2 --numbers 1:500:1 ${jobOptions})
ferrySweep(chaosAllOften LABELS threads long WORDS $<TARGET_FILE:fault_chaos> ${chaosModes} --for 20 --numbers 1:300:3 ${jobOptions})
ferrySweep(chaosAllFromThere LABELS threads long WORDS $<TARGET_FILE:fault_chaos> ${chaosModes} --for 1000000 --numbers 1:300:7 ${jobOptions})
ferrySweep(scarceAll LABELS threads long WORDS $<TARGET_FILE:fault_scarce> ${scarceModes} --ranks 0,1,2 --numbers 1:300:1)
ferrySweep(groupsAll LABELS threads long WORDS $<TARGET_FILE:fault_scarce> groups --ranks 0,1,2 --numbers 1:500:1 ${groupOptions})
ferrySweep(chaosMpiAll MPI 3 LABELS mpi long WORDS $<TARGET_FILE:fault_chaos> ${chaosModes} --ranks 0,1 --numbers 1:300:3 ${jobOptions})
ferrySweep(scarceMpiAll MPI 3 LABELS mpi long WORDS $<TARGET_FILE:fault_scarce> ${scarceModes} --ranks 0,1 --numbers 1:150:2)
ferrySweep(staleAll MPI 2 LABELS mpi long WORDS $<TARGET_FILE:fault_staleReceive> stale --ranks 0 --numbers 1:80:1)

# The limit is for the address space. Sanitizers use much address space.
if(NOT ferrySanitizers)
    foreach(way reply task plain guarded bcast gather uncaught)
        add_test(NAME memory.bigReceive.${way}
            COMMAND Python3::Interpreter -B ${CMAKE_CURRENT_SOURCE_DIR}/bigReceive.py
                $<TARGET_FILE:fault_bigReceive> $<TARGET_FILE:fault_bigReply> ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${way})
        ferryTestProperties(memory.bigReceive.${way} MPI WAITS LABELS mpi)
    endforeach()
endif()

# The programs replace operator new, which conflicts with a sanitizer.
if(NOT ferrySanitizers)
    foreach(program graphWithoutMemory jsonWithoutMemory tasksWithoutMemory tableWithoutMemory)
        add_test(NAME fault.${program} COMMAND fault_${program})
        ferryTestProperties(fault.${program} LABELS unit)
        set_tests_properties(fault.${program} PROPERTIES PASS_REGULAR_EXPRESSION "^ok")
    endforeach()
endif()
