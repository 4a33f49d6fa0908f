# Values that lost data without a word, and messages that took memory and time without proportion.
foreach(name firstField greedyField bombs unexpected)
    ferryFaultProgram(${name})
endforeach()

# codecFault(name output): the program ends with status 0 and prints only this output.
function(codecFault name_ output_)
    add_test(NAME fault.${name_}
        COMMAND sh -c "out=$(\"$0\") && echo \"$out\" && test \"$out\" = \"$1\"" $<TARGET_FILE:fault_${name_}> "${output_}")
    ferryTestProperties(fault.${name_} CORES 1 LABELS threads)
endfunction()

codecFault(firstField "7 8 hello, 7 8 hello")
codecFault(greedyField "4 6")

# The exit status says whether an object was made.
add_test(NAME fault.unexpected COMMAND fault_unexpected)
ferryTestProperties(fault.unexpected LABELS unit)

# The program counts memory itself, which conflicts with a sanitizer.
if(NOT ferrySanitizers)
    add_test(NAME fault.bombs COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/checkBombs.py" $<TARGET_FILE:fault_bombs>)
    ferryTestProperties(fault.bombs LABELS unit)
endif()

# These programs must not compile, and the error must be a message of Ferry. The expected texts are those of g++.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    get_target_property(definitions spdlog::spdlog INTERFACE_COMPILE_DEFINITIONS)
    list(TRANSFORM definitions PREPEND "-D")
    add_test(NAME fault.derivedContainers COMMAND "${CMAKE_CXX_COMPILER}" -std=c++20 -fsyntax-only "-I${PROJECT_BINARY_DIR}/include"
        ${definitions} "${CMAKE_CURRENT_SOURCE_DIR}/derivedContainers.cpp")
    ferryTestProperties(fault.derivedContainers LABELS tools)
    set_tests_properties(fault.derivedContainers PROPERTIES
        PASS_REGULAR_EXPRESSION "error: static assertion failed: ferry: the class .see T. derives from what it would travel as")
endif()
