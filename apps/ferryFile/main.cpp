#include <exception>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>

#include <ferry/apps/ferryFile/FileInfo.hpp>
#include <ferry/serialization/exception/PrintableText.hpp>
#include <ferry/serialization/file/FileError.hpp>

// Exit status: 0 the file has no damage, 1 the file is damaged or no file of Ferry, 2 the command line is wrong, 3 the file cannot be
// read.

namespace {

enum Status { Whole = 0, Bad = 1, WrongUsage = 2, CannotRead = 3 };

int runInfo(const std::string& path, bool showsClasses) {
    try {
        const ferryfile::FileInfo info = ferryfile::inspect(path);
        ferryfile::print(std::cout, info, showsClasses);
        return info.problems.empty() ? Whole : Bad;
    } catch (const ferry::FileError& error) {
        std::cerr << "ferryFile: " << error.what() << "\n";
        return error.problem() == ferry::FileProblem::CannotRead ? CannotRead : Bad;
    }
}

}    // namespace

int main(int argc, char** argv) {
    CLI::App app("Shows what is in files that were saved with Ferry.", "ferryFile");
    app.require_subcommand(1);
    std::string path;
    bool showsClasses = false;
    CLI::App* info = app.add_subcommand("info", "shows what a file holds, and whether the file is damaged");
    info->add_option("FILE", path, "the file")->required();
    info->add_flag("--classes", showsClasses, "also shows the names of the classes that the saving program knew");
    info->footer("Exit status: 0 the file is whole, 1 the file is damaged or no file of Ferry, 2 wrong usage, 3 the file cannot be read.");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? Whole : WrongUsage;
    }
    try {
        return runInfo(path, showsClasses);
    } catch (const std::exception& error) {
        std::cerr << "ferryFile: " << ferry::detail::printable(error.what()) << "\n";
        return CannotRead;
    }
}
