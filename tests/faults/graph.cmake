# Graphs. The programs print what their first comment says, and end with status 0.

# ferryGraphFault(name line...): the program prints these lines, and ends with status 0.
function(ferryGraphFault name_)
    ferryFaultProgram(${name_})
    list(JOIN ARGN "\\n" expected)
    add_test(NAME fault.${name_}
        COMMAND sh -c "found=$(\"$0\") || exit 1; test \"$found\" = \"$(printf '${expected}')\" || { printf '%s\\n' \"$found\"; exit 1; }"
            $<TARGET_FILE:fault_${name_}>)
    ferryTestProperties(fault.${name_} LABELS unit)
endfunction()

ferryGraphFault(pastTheEnd "2 2")
ferryGraphFault(arrayAndShare "3 7" "ended")
