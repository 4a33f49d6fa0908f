# Builds a program with nvcc and runs it: NVCC, SOURCE, PROGRAM, INCLUDE, and LIBRARIES with | between them.
string(REPLACE "|" ";" libraries "${LIBRARIES}")
execute_process(
    COMMAND "${NVCC}" -std=c++20 --expt-relaxed-constexpr --extended-lambda -gencode arch=compute_75,code=sm_75 -gencode
        arch=compute_90,code=sm_90 -diag-suppress 940 "-I${INCLUDE}" "${SOURCE}" -o "${PROGRAM}" -Xlinker -u,ferryMakeCudaRuntime ${libraries} -lfmt -ldl -lbacktrace
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PROGRAM}" COMMAND_ERROR_IS_FATAL ANY)
