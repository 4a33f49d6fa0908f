# Memory that is wanting: the n-th allocation of a rank fails, or a message is larger than the memory of its receiver.

foreach(program chaos scarce staleReceive bigReceive)
    ferryFaultProgram(${program})
endforeach()

set(sweep ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/allocationSweep.py)
set(chaosModes p2p,coll,guard,job,throwjob,jobrefuse)
set(scarceModes large,lent,caught,collectives,started,regions,throwon,graphs,files)
set(groupOptions --arguments=--ferry-group-size=2)

# ferrySweep(name LABELS l... [MPI n] WORDS w...): one entry.
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
endfunction()

ferrySweep(chaos LABELS threads WORDS $<TARGET_FILE:fault_chaos> ${chaosModes} --numbers 3:250:23)
ferrySweep(chaosOften LABELS threads WORDS $<TARGET_FILE:fault_chaos> p2p,guard,job --for 3 --numbers 11:160:37)
ferrySweep(scarce LABELS threads WORDS $<TARGET_FILE:fault_scarce> ${scarceModes} --numbers 2:90:13)
ferrySweep(groups LABELS threads WORDS $<TARGET_FILE:fault_scarce> groups --ranks 0,1,2 --numbers 2:160:19 ${groupOptions})
ferrySweep(chaosMpi MPI 3 LABELS mpi WORDS $<TARGET_FILE:fault_chaos> coll,job --numbers 25:130:50)
ferrySweep(scarceMpi MPI 3 LABELS mpi WORDS $<TARGET_FILE:fault_scarce> large,lent,graphs --numbers 9:60:25)
ferrySweep(stale MPI 2 LABELS mpi WORDS $<TARGET_FILE:fault_staleReceive> stale --ranks 0 --numbers 2:50:7)

ferrySweep(chaosAll LABELS threads long WORDS $<TARGET_FILE:fault_chaos> ${chaosModes} --ranks 0,1,2 --numbers 1:500:1)
ferrySweep(chaosAllOften LABELS threads long WORDS $<TARGET_FILE:fault_chaos> ${chaosModes} --for 20 --numbers 1:300:3)
ferrySweep(scarceAll LABELS threads long WORDS $<TARGET_FILE:fault_scarce> ${scarceModes} --ranks 0,1,2 --numbers 1:300:1)
ferrySweep(groupsAll LABELS threads long WORDS $<TARGET_FILE:fault_scarce> groups --ranks 0,1,2 --numbers 1:500:1 ${groupOptions})
ferrySweep(chaosMpiAll MPI 3 LABELS mpi long WORDS $<TARGET_FILE:fault_chaos> ${chaosModes} --ranks 0,1 --numbers 1:300:3)
ferrySweep(scarceMpiAll MPI 3 LABELS mpi long WORDS $<TARGET_FILE:fault_scarce> ${scarceModes} --ranks 0,1 --numbers 1:150:2)
ferrySweep(staleAll MPI 2 LABELS mpi long WORDS $<TARGET_FILE:fault_staleReceive> stale --ranks 0 --numbers 1:80:1)

# The limit is one of addresses, of which sanitizers take very many.
if(NOT ferrySanitizers)
    add_test(NAME memory.bigReceive
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/bigReceive.py
            $<TARGET_FILE:fault_bigReceive> ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG})
    ferryTestProperties(memory.bigReceive MPI CORES 2 LABELS mpi)
endif()
