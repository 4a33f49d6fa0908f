#pragma once

#include <chrono>
#include <exception>
#include <string>

namespace ferry::pmpi {

/// The end of a rank's program while its region is open.
struct ExitOfProgram {
    std::exception_ptr failure;                          ///< null: the program ends with success
    std::string notice;                                  ///< the failure as other ranks are told it
    std::chrono::steady_clock::time_point waitsSince;    ///< beginning of the present wait of a handler of exit()
};

}    // namespace ferry::pmpi
