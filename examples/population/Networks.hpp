#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <random>
#include <utility>
#include <vector>

// Networks that grow by mutation. They stand for classes of another library: they know nothing of Ferry, and their members are private.

namespace growing {

/// A neuron. The genes that lead from a node and to a node share it with the network.
class Node {
public:
    enum class Role { Input, Hidden, Output };

    Node() = default;
    explicit Node(Role role) : role_(role) {}
    Role role() const { return role_; }
    double value() const { return value_; }
    void set(double value) { value_ = value; }
    void add(double value) { sum_ += value; }
    void fire() {
        value_ = std::tanh(sum_ + bias_);
        sum_ = 0;
    }
    void shift(double change) { bias_ += change; }

private:
    Role role_ = Role::Input;
    double bias_ = 0;
    double value_ = 0, sum_ = 0;    // values of the current evaluation
};

/// A connection between two nodes.
class Gene {
public:
    Gene() = default;
    Gene(std::shared_ptr<Node> from, std::shared_ptr<Node> to, double weight)
        : from_(std::move(from)),
          to_(std::move(to)),
          weight_(weight) {}
    const std::shared_ptr<Node>& from() const { return from_; }
    const std::shared_ptr<Node>& to() const { return to_; }
    double weight() const { return weight_; }
    bool isOn() const { return isOn_; }
    void turnOff() { isOn_ = false; }
    void change(double difference) { weight_ += difference; }

private:
    std::shared_ptr<Node> from_, to_;
    double weight_ = 0;
    bool isOn_ = true;
};

/// The nodes in the order in which they fire (inputs first, outputs last), and the genes between the nodes.
class Network {
public:
    Network() = default;
    Network(std::size_t inputs, std::size_t hidden, std::mt19937& random) {
        for (std::size_t i = 0; i < inputs + hidden; ++i) {
            nodes_.push_back(std::make_shared<Node>(i < inputs ? Node::Role::Input : Node::Role::Hidden));
            for (std::size_t j = 0; j < inputs && i >= inputs; ++j) genes_.emplace_back(nodes_[j], nodes_[i], step(random));
        }
        nodes_.push_back(std::make_shared<Node>(Node::Role::Output));
        for (std::size_t i = 0; i < hidden; ++i) genes_.emplace_back(nodes_[inputs + i], nodes_.back(), step(random));
    }
    Network(const Network& other) : fitness_(other.fitness_) {
        for (const auto& node : other.nodes_) nodes_.push_back(std::make_shared<Node>(*node));
        for (const Gene& gene : other.genes_) {
            genes_.emplace_back(nodes_[other.indexOf(gene.from())], nodes_[other.indexOf(gene.to())], gene.weight());
            if (!gene.isOn()) genes_.back().turnOff();
        }
    }
    Network(Network&&) = default;
    Network& operator=(Network other) {
        std::swap(nodes_, other.nodes_);
        std::swap(genes_, other.genes_);
        fitness_ = other.fitness_;
        return *this;
    }

    double evaluate(const std::vector<double>& inputs) const {
        for (std::size_t i = 0; i < inputs.size(); ++i) nodes_[i]->set(inputs[i]);
        for (const auto& node : nodes_) {
            if (node->role() != Node::Role::Input) node->fire();
            for (const Gene& gene : genes_) {
                if (gene.from() == node && gene.isOn()) gene.to()->add(gene.weight() * node->value());
            }
        }
        return nodes_.back()->value();
    }
    void mutate(std::mt19937& random) {
        Gene& gene = genes_[random() % genes_.size()];
        gene.change(step(random));
        nodes_[random() % nodes_.size()]->shift(step(random));
        if (random() % 64 == 0) divide(random() % genes_.size());
    }
    double fitness() const { return fitness_; }
    void setFitness(double fitness) { fitness_ = fitness; }
    std::size_t nodeCount() const { return nodes_.size(); }

private:
    static double step(std::mt19937& random) { return static_cast<double>(random() % 2001) / 1000.0 - 1; }
    std::size_t indexOf(const std::shared_ptr<Node>& node) const {
        std::size_t index = 0;
        while (nodes_[index] != node) ++index;
        return index;
    }
    /// Adds a new node in the middle of a gene.
    void divide(std::size_t geneIndex) {
        const auto from = genes_[geneIndex].from(), to = genes_[geneIndex].to();
        const double weight = genes_[geneIndex].weight();
        if (!genes_[geneIndex].isOn()) return;
        const auto middle = std::make_shared<Node>(Node::Role::Hidden);
        nodes_.insert(nodes_.begin() + static_cast<std::ptrdiff_t>(indexOf(to)), middle);
        genes_[geneIndex].turnOff();
        genes_.emplace_back(from, middle, 1);
        genes_.emplace_back(middle, to, weight);
    }

    std::vector<std::shared_ptr<Node>> nodes_;
    std::vector<Gene> genes_;
    double fitness_ = 0;
};

}    // namespace growing
