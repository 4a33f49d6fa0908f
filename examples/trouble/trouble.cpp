// A handler that cannot go on tells the master. The master sends the solution to the handler, or throws an exception in it. This is
// figure 2 of the remote exception pattern: the trouble goes to the master, the solution or another exception comes back.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include <ferry/ferry.hpp>

/// The inverse of a 2 x 2 matrix.
struct Inverse : ferry::Message {
    FERRY_CLASS(Inverse)
    FERRY_FIELDS(number, entries)
    using Reply = Inverse;
    int number = 0;
    std::vector<double> entries;
};

/// The trouble: the matrix of this task is singular.
struct Singular : ferry::Exception {
    FERRY_EXCEPTION(Singular)
    FERRY_FIELDS(task, slave)
    explicit Singular(int theTask = 0, int theSlave = 0) : ferry::Exception("the matrix is singular"), task(theTask), slave(theSlave) {}
    int task = 0;
    int slave = 0;
};

Inverse invert(const Inverse& task, ferry::Task& here) {
    Inverse reply = task;
    double determinant = task.entries[0] * task.entries[3] - task.entries[1] * task.entries[2];
    while (determinant == 0) {
        here.connector().throwOn(0, Singular(task.number, here.connector().rank()));
        reply.entries = here.connector().receive<std::vector<double>>(0);    // the solution: a matrix near the first one
        determinant = reply.entries[0] * reply.entries[3] - reply.entries[1] * reply.entries[2];
    }
    const std::vector<double> matrix = reply.entries;
    reply.entries = {matrix[3] / determinant, -matrix[1] / determinant, -matrix[2] / determinant, matrix[0] / determinant};
    return reply;
}

void show(const Inverse& inverse) {
    std::printf("%d: %g %g %g %g\n", inverse.number, inverse.entries[0], inverse.entries[1], inverse.entries[2], inverse.entries[3]);
}

/// Sends a solution to the handler, or ends its task.
void mend(ferry::Master& master, const Singular& trouble, std::vector<ferry::Future<Inverse>>& inverses) {
    if (trouble.task == 1) {
        master.connector().send(trouble.slave, std::vector<double>{1, 1, 1, 2});
    } else {
        inverses[static_cast<std::size_t>(trouble.task)].raise(std::domain_error("no matrix is near"));
    }
}

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    app.slave().on<Inverse>(invert);
    return app.run([](ferry::Master& master) {
        std::vector<Inverse> tasks(4);
        tasks[0].entries = {2, 0, 0, 4};
        tasks[1].entries = {1, 1, 1, 1};    // singular; the master knows a matrix near it
        tasks[2].entries = {0, 0, 0, 0};    // singular; the master gives it up
        tasks[3].entries = {1, 2, 3, 4};
        for (int i = 0; i < 4; ++i) tasks[static_cast<std::size_t>(i)].number = i;
        std::vector<ferry::Future<Inverse>> inverses;
        std::vector<Singular> troubles;
        std::size_t shownCount = 0;
        while (shownCount < tasks.size()) {
            try {    // each call of Ferry may throw the trouble of a handler. The call has done nothing then
                while (inverses.size() < tasks.size()) inverses.push_back(master.submit(tasks[inverses.size()]));
                for (; !troubles.empty(); troubles.pop_back()) mend(master, troubles.back(), inverses);
                show(inverses[shownCount].get());
                ++shownCount;
            } catch (const Singular& trouble) {    // its handler waits for a solution. The future can be asked again
                troubles.push_back(trouble);
            } catch (const std::domain_error& e) {
                std::printf("%zu: %s\n", shownCount, e.what());
                ++shownCount;
            }
        }
    });
}
