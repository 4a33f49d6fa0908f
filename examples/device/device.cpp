// Particles in boxes on a device: the same structures and ordinary pointers on both sides, one transfer each way.
#include <ferry/device.hpp>
#include <ferry/objects.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

struct Box;

struct Particle {
    double position = 0;
    double speed = 0;
    Box* box = nullptr;    // the box around it
    FERRY_FIELDS(position, speed, box)
};

struct Box {
    double begin = 0;
    double end = 0;
    Box* next = nullptr;    // the first box follows the last one
    int particleCount = 0;
    FERRY_FIELDS(begin, end, next, particleCount)
};

struct World {
    std::vector<Box*> boxes;
    std::vector<Particle> particles;
    std::vector<double> history;    // stays on the host
    FERRY_FIELDS(boxes, particles, history)
};
// The part of the world that the kernels need.
using Moving = ferry::View<&World::boxes, &World::particles>;
// The part that changes.
using Particles = ferry::View<&World::particles>;

int main() {
    constexpr std::size_t boxCount = 4, particleCount = 1000;
    std::vector<Box> boxes(boxCount);
    World world;
    for (std::size_t i = 0; i < boxCount; ++i) {
        boxes[i] = {static_cast<double>(i), static_cast<double>(i + 1), &boxes[(i + 1) % boxCount], 0};
        world.boxes.push_back(&boxes[i]);
    }
    for (std::size_t i = 0; i < particleCount; ++i) {
        Box& box = boxes[i % boxCount];
        world.particles.push_back({box.begin + 0.5, 0.001 * static_cast<double>(i), &box});
    }

    ferry::Device device = ferry::Device::host();
    auto there = device.copy(ferry::part<Moving>(world));
    for (int step = 0; step < 10; ++step) {
        device.run(particleCount, [w = there.get()](std::size_t i) {
            Particle& particle = w->particles[i];
            particle.position += 0.1 * particle.speed;
            xassert(particle.speed >= 0, "particle {}", i);
            while (particle.position >= particle.box->end) {    // moves to the next box, beyond the last one to the first
                if (particle.box->next->begin == 0) particle.position -= w->boxes.back()->end;
                particle.box = particle.box->next;
            }
        });
    }
    there.fetch<Particles>();    // pointers to boxes lead to the boxes of the host again

    for (const Particle& particle : world.particles) ++particle.box->particleCount;
    for (const Box* box : world.boxes) std::printf("box %.0f: %d particles\n", box->begin, box->particleCount);
    std::printf("%zu transfers to the device %s, %zu back\n", device.transfers().toDevice, device.name().c_str(),
                device.transfers().fromDevice);

    world.particles[3].speed = -1;
    there.update();
    try {
        device.run(particleCount, [w = there.get()](std::size_t i) { xassert(w->particles[i].speed >= 0, "particle {}", i); });
    } catch (const ferry::AssertionFailure& e) {
        std::printf("%s\n", e.what());
    }
    return 0;
}
