#include <ferry/benchmarks/serialization/Samples.hpp>

#include <cstddef>
#include <cstdint>
#include <random>

namespace bench {

namespace {

constexpr std::size_t vesselCount = 50;
constexpr std::size_t shapeCount = 10'000;
constexpr std::size_t doubleCount = 1'000'000;

class Generator {
public:
    std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }
    int number(int least, int most) { return least + static_cast<int>(word() % static_cast<std::uint32_t>(most - least + 1)); }
    float fraction() { return static_cast<float>(number(0, 1'000'000)) / 1000; }
    std::string text(int least, int most) {
        std::string made(static_cast<std::size_t>(number(least, most)), ' ');
        for (char& letter : made) letter = static_cast<char>(number('a', 'z'));
        return made;
    }
    template <class Make>
    auto several(int least, int most, const Make& make) {
        std::vector<decltype(make())> made(static_cast<std::size_t>(number(least, most)));
        for (auto& element : made) element = make();
        return made;
    }

    Position position() {
        Position made;
        made.latitude = fraction();
        made.longitude = fraction();
        made.heading = fraction();
        return made;
    }
    Engine engine() {
        Engine made;
        made.maker = text(4, 12);
        made.powerKw = static_cast<std::int16_t>(number(100, 30'000));
        return made;
    }
    Vessel vessel() {
        Vessel made;
        made.name = text(5, 20);
        made.number = word();
        made.kind = static_cast<VesselKind>(number(0, 3));
        made.flag = static_cast<Flag>(45 + 2 * number(0, 2));
        made.position = position();
        made.destination = position();
        made.decks = static_cast<std::int16_t>(number(1, 12));
        made.berths = static_cast<std::int16_t>(number(0, 2000));
        made.length = fraction();
        made.draught = fraction();
        made.fuelLitres = static_cast<double>(fraction());
        made.lastContactUs = std::int64_t{word()} * 1000;
        made.isMoored = number(0, 1) == 1;
        made.cabins = several(1, 10, [this] { return static_cast<std::uint8_t>(number(0, 255)); });
        made.engines = several(1, 4, [this] { return engine(); });
        made.auxiliary = engine();
        made.track = several(1, 5, [this] { return position(); });
        made.ports = several(0, 3, [this] { return text(4, 14); });
        made.remark = text(0, 60);
        return made;
    }

    std::unique_ptr<Shape> point() {
        auto made = std::make_unique<Point>();
        made->x = number(-1000, 1000);
        made->y = number(-1000, 1000);
        made->z = fraction();
        made->colour = number(0, 0xffffff);
        return made;
    }
    std::unique_ptr<Shape> line() {
        auto made = std::make_unique<Line>();
        made->points = several(0, 8, [this] { return number(-1000, 1000); });
        return made;
    }
    std::unique_ptr<Shape> frame() {
        auto made = std::make_unique<Frame>();
        for (int* field : {&made->left, &made->top, &made->width, &made->height, &made->depth, &made->layer, &made->id}) {
            *field = number(0, 5000);
        }
        for (float* field : {&made->red, &made->green, &made->blue, &made->opacity}) *field = fraction();
        return made;
    }
    std::unique_ptr<Shape> shape() {
        switch (number(0, 2)) {
            case 0: return point();
            case 1: return line();
            default: return frame();
        }
    }

private:
    std::mt19937 random_{42};
};

}    // namespace

Samples::Samples() {
    Generator generator;
    for (const int count : {1, 10, 100, 1000, 1'000'000}) {
        ints.push_back(std::make_unique<Ints>(generator.several(count, count, [&] { return generator.number(-1'000'000, 1'000'000); })));
    }
    for (std::size_t i = 0; i < vesselCount; ++i) vessels.push_back(generator.vessel());
    for (std::size_t i = 0; i < shapeCount; ++i) shapes.push_back(generator.shape());
    for (std::size_t i = 0; i < doubleCount; ++i) doubles.push_back(static_cast<double>(generator.fraction()));
    engine = generator.engine();
}

}    // namespace bench
