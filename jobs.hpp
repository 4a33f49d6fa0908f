#pragma once

/// Jobs of a master and its slaves, over MPI or as threads of one process. Results come to the master, or stay with their slaves for tasks
/// that read them (Ref, Keep).
///
///     #include <cstdio>
///
///     #include <ferry/jobs.hpp>
///
///     struct Square {
///         int number = 0;
///         using Reply = long;
///     };
///
///     int main(int argc, char** argv) {
///         ferry::Application app(argc, argv);
///         app.slave().on<Square>([](const Square& task) { return static_cast<long>(task.number) * task.number; });
///         return app.run([](ferry::Master& master) { std::printf("%ld\n", master.submit(Square{12}).get()); });
///     }

#include <ferry/connector.hpp>
#include <ferry/framework/Application.hpp>
#include <ferry/framework/ending/ReportPrinter.hpp>
#include <ferry/framework/ending/deafThread.hpp>
#include <ferry/framework/exception/JournalError.hpp>
#include <ferry/framework/exception/LostResult.hpp>
#include <ferry/framework/exception/NoSlavesLeft.hpp>
#include <ferry/framework/exception/PoisonTask.hpp>
#include <ferry/framework/exception/SlavesCannotJoin.hpp>
#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/monitor/LogLevel.hpp>
#include <ferry/framework/slave/Ref.hpp>
#include <ferry/framework/slave/Slave.hpp>
