#pragma once

/// Jobs of a master and its slaves, over MPI or as threads of one process.
///
///     #include <cstdio>
///
///     #include <ferry/jobs.hpp>
///
///     struct Answer : ferry::Message {
///         FERRY_CLASS(Answer)
///         FERRY_FIELDS(square)
///         long square = 0;
///     };
///
///     struct Square : ferry::Message {
///         FERRY_CLASS(Square)
///         FERRY_FIELDS(number)
///         using Reply = Answer;
///         int number = 0;
///     };
///
///     int main(int argc, char** argv) {
///         ferry::Application app(argc, argv);
///         app.slave().on<Square>([](const Square& task) {
///             Answer answer;
///             answer.square = static_cast<long>(task.number) * task.number;
///             return answer;
///         });
///         return app.run([](ferry::Master& master) {
///             Square task;
///             task.number = 12;
///             std::printf("%ld\n", master.submit(task).get().square);
///         });
///     }

#include <ferry/connector.hpp>
#include <ferry/framework/Application.hpp>
#include <ferry/framework/ending/deafThread.hpp>
#include <ferry/framework/exception/JournalError.hpp>
#include <ferry/framework/exception/NoSlavesLeft.hpp>
#include <ferry/framework/exception/PoisonTask.hpp>
#include <ferry/framework/exception/SlavesCannotJoin.hpp>
#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/monitor/LogLevel.hpp>
#include <ferry/framework/slave/Slave.hpp>
