// Renders a scene in tiles. The master makes the scene and broadcasts it as one graph; each slave renders the tiles that it gets.
//     mpirun -np 4 build/release/bin/scene --out scene.ppm
//     build/release/bin/scene --triangles 30000     the slaves are threads
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <ferry/ferry.hpp>

#include <ferry/examples/scene/GeneratedScene.hpp>
#include <ferry/examples/scene/Image.hpp>
#include <ferry/examples/scene/Messages.hpp>
#include <ferry/examples/scene/Renderer.hpp>

namespace {

using namespace scene;

struct Options {
    int triangles = 8000;
    std::uint64_t seed = 1;
    int width = 320;
    int height = 200;
    int tileSize = 32;
    std::uint32_t camera = 0;
    std::string file = "scene.ppm";
};

void addOptions(CLI::App& commandLine, Options& options) {
    commandLine.add_option("--triangles", options.triangles, "About how many triangles there are")
        ->check(CLI::Range(1, 10'000'000))
        ->capture_default_str();
    commandLine.add_option("--seed", options.seed, "What the scene is made up from")->capture_default_str();
    commandLine.add_option("--width", options.width, "Of the picture, in pixels")->check(CLI::Range(1, 20'000))->capture_default_str();
    commandLine.add_option("--height", options.height, "Of the picture, in pixels")->check(CLI::Range(1, 20'000))->capture_default_str();
    commandLine.add_option("--tile", options.tileSize, "Side of a tile, in pixels")->check(CLI::Range(1, 20'000))->capture_default_str();
    commandLine.add_option("--camera", options.camera, "0: from the front, 1: from the side")
        ->check(CLI::Range(0, 1))
        ->capture_default_str();
    commandLine.add_option("--out", options.file, "Where to write the picture")->capture_default_str();
}

void serve(ferry::Slave& slave) {
    // Every slave takes part in the broadcast before its first task, and keeps the scene until it leaves.
    slave.setUp([](ferry::Connector& connector) {
        return std::make_shared<ferry::Graph<Scene>>(connector.broadcastGraph(ferry::graph<Scene>(nullptr)));
    });
    slave.on<RenderTile>([](const RenderTile& tile, ferry::Task& task) {
        const Scene& received = *task.state<ferry::Graph<Scene>>().root();
        RenderedTile rendered;
        rendered.area = tile.area;
        rendered.pixels = Renderer(received, tile.imageWidth, tile.imageHeight, tile.camera).render(tile.area);
        return rendered;
    });
}

void renderBySlaves(ferry::Master& master, const Options& options, Image& image) {
    std::vector<RenderTile> tasks;
    for (const Area& area : tilesOf(options.width, options.height, options.tileSize)) {
        RenderTile& task = tasks.emplace_back();
        task.area = area;
        task.imageWidth = options.width;
        task.imageHeight = options.height;
        task.camera = options.camera;
    }
    for (const RenderedTile& tile : master.map(tasks, ferry::MapOrder::Completion)) image.place(tile.area, tile.pixels);
}

void writeFile(const std::string& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary);
    file << bytes << std::flush;
    if (!file) throw std::runtime_error("cannot write " + path);
}

void render(ferry::Master& master, const Options& options) {
    GeneratedScene generated(options.triangles, options.seed);
    master.connector().broadcastGraph(ferry::graph(&generated.scene()));
    Image image(options.width, options.height);
    renderBySlaves(master, options, image);
    writeFile(options.file, image.asPpm());
    std::printf("%s: %d x %d pixels, %zu triangles, %zu tree nodes, %d slaves\n", options.file.c_str(), options.width, options.height,
                generated.scene().triangles.size(), generated.nodeCount(), master.slaveCount());
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application application(argc, argv);
    CLI::App commandLine("Renders a made-up scene in tiles.", "scene");
    Options options;
    addOptions(commandLine, options);
    try {
        commandLine.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return application.connector().isMaster() ? commandLine.exit(error) : error.get_exit_code();
    }
    serve(application.slave());
    return application.run([&](ferry::Master& master) { render(master, options); });
}
