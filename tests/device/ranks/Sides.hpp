#pragma once

#include <cstddef>
#include <vector>

#include <ferry/remoteDevice.hpp>

// Rings of nodes on devices, and the kernels of each device for them.

namespace remotedevices {

struct Node {
    int value = 0;
    Node* next = nullptr;
    std::vector<double> weights;
    FERRY_FIELDS(value, next, weights)
};

/// A ring, whose arrays are small or large.
inline std::vector<Node> ring(std::size_t count, std::size_t weights) {
    std::vector<Node> nodes(count);
    for (std::size_t i = 0; i < count; ++i) {
        nodes[i].value = static_cast<int>(i);
        nodes[i].next = &nodes[(i + 1) % count];
        nodes[i].weights.assign(weights, static_cast<double>(i));
    }
    return nodes;
}

struct Total {
    long values = 0;
    double weights = 0;
    int nodes = 0;
};

/// The kernels of both ranks: add 1 to each value, and sum up.
class HostSide {
public:
    ferry::Device device = ferry::Device::host({.threads = 2});

    void add(Node* root) {
        device.run(1, [root](std::size_t) {
            Node* node = root;
            do {
                node->value += 1;
                node = node->next;
            } while (node != root);
        });
    }
    Total sum(Node* root) {
        Total sum;
        device.run(1, [root, &sum](std::size_t) {
            const Node* node = root;
            do {
                sum.values += node->value;
                for (double weight : node->weights) sum.weights += weight;
                ++sum.nodes;
                node = node->next;
            } while (node != root);
        });
        return sum;
    }
};

#ifdef FERRY_TEST_OPENCL
struct Result {
    long values = 0;
    double weights = 0;
    int nodes = 0;
    FERRY_FIELDS(values, weights, nodes)
};

class OpenClSide {
public:
    ferry::Device device = ferry::Device::openCl();
    ferry::DeviceProgram program = device.program<Node, Result>(R"(
        kernel void add(global Node* root) {
            global Node* node = root;
            do {
                node->value += 1;
                node = node->next;
            } while (node != root);
        }
        kernel void sum(global Node* root, global Result* result) {
            global Node* node = root;
            do {
                result->values += node->value;
                for (global double* weight = node->weights.data; weight != node->weights.end; ++weight) result->weights += *weight;
                ++result->nodes;
                node = node->next;
            } while (node != root);
        })");

    void add(Node* root) { program.launch("add", {1}, root); }
    Total sum(Node* root) {
        Result result;
        auto there = device.copy(result);
        program.launch("sum", {1}, root, there);
        there.fetch();
        return {result.values, result.weights, result.nodes};
    }
};
#define FERRY_TEST_SIDES HostSide, OpenClSide
#else
#define FERRY_TEST_SIDES HostSide
#endif

}    // namespace remotedevices
