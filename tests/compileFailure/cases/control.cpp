// COMPILES
// This case does right what the others get wrong. When this case fails, the failures of the others prove nothing.
#include <memory>
#include <vector>

#include <ferry/framework/Application.hpp>

namespace fail {

class Clock {
public:
    FERRY_FIELDS(ticks_)

private:
    long ticks_ = 0;
};

struct Plain {
    int number = 0;
};

class Station : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(fail::Station)
    FERRY_FIELDS(clock, clocks, next, plain)
    Clock clock;
    std::vector<Clock> clocks;
    std::unique_ptr<Station> next;
    std::unique_ptr<Plain> plain;
};

struct Point {
    FERRY_FIELDS(x, y)
    int x = 0;
    int y = 0;
};

struct Point3 : Point {
    FERRY_FIELDS_AFTER(Point, z)
    int z = 0;
};

class Answer : public ferry::Message {
public:
    FERRY_CLASS(fail::Answer)
    FERRY_FIELDS(square)
    long square = 0;
};

class Square : public ferry::Message {
public:
    FERRY_CLASS(fail::Square)
    FERRY_FIELDS(number)
    using Reply = Answer;
    int number = 0;
};

class SquareOfPoint : public Square {
public:
    FERRY_CLASS(fail::SquareOfPoint)
    FERRY_FIELDS_AFTER(Square, point)
    using Reply = ferry::Done;
    Point3 point;
};

void define(ferry::Slave& slave) {
    slave.on<Square>([](const Square& task) {
        Answer answer;
        answer.square = static_cast<long>(task.number) * task.number;
        return answer;
    });
    slave.on<SquareOfPoint>([](const SquareOfPoint&, ferry::Task& task) { task.connector().send(0, std::make_unique<Station>()); });
}

}    // namespace fail

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    fail::define(app.slave());
    return app.run([](ferry::Master& master) {
        static_cast<void>(master.submit(fail::Square()).get().square);
        static_cast<void>(master.connector().receive<fail::SquareOfPoint>());
        return 0;
    });
}
