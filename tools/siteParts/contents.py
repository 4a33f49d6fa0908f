"""Which page of the site holds which part of the texts: the tabs of the site in their order, with their pages.

A page has a file, a title, and the parts that it is made of. A part is a text of the tree ("docs/errors.md") or a heading in it
("docs/errors.md#deadlines"). A heading brings what stands below it, but for headings that another page names. A whole text brings what no
other page names, and a text with "!" brings what stands before its first heading below the title. So each part of a text stands on one
page, and tools/site fails when one stands on none.
"""

GUIDE = "docs/guide.md"
ERRORS = "docs/errors.md"
EXISTING = "docs/existing-mpi.md"
COMING = "docs/coming-from.md"
PACKAGES = "docs/packages.md"
SOLVER = "apps/timetabling/README.md"

TABS = [
    ("Home", [("index.md", "Ferry", ["README.md"])]),
    ("Get started", [
        ("start/link.md", "Compile and link", [f"{GUIDE}!", f"{GUIDE}#compile-and-link"]),
        ("start/features.md", "What there is", ["docs/features.md"]),
        ("start/words.md", "Words", ["docs/words.md"]),
    ]),
    ("Tutorials", [
        ("tutorials/master.md", "A master and its slaves", ["docs/tutorial-master.md"]),
        ("tutorials/existing-mpi.md", "Your existing MPI code", [EXISTING]),
        ("tutorials/same-program.md", "The same program on every rank", [f"{GUIDE}#the-same-program-on-every-rank"]),
        ("tutorials/timetable.md", "A timetable from start to end", [SOLVER]),
    ]),
    ("How to", [
        ("how-to/a-slave-dies.md", "A slave dies", [f"{ERRORS}#jobs-that-survive-the-death-of-slaves", f"{GUIDE}#when-a-rank-dies"]),
        ("how-to/start-again.md", "Start again", [f"{GUIDE}#a-job-that-goes-on-where-it-ended", f"{ERRORS}#journals"]),
        ("how-to/slurm.md", "Several hosts, and Slurm", ["docs/clusters.md"]),
        ("how-to/job-patterns.md", "Sweeps, map-reduce, branch and bound", ["docs/job-patterns.md"]),
        ("how-to/find-a-hang.md", "Find a hang", [f"{ERRORS}#deadlocks", f"{EXISTING}#who-waits-for-whom", f"{ERRORS}#deadlines"]),
        ("how-to/read-a-trace.md", "Read a trace", [f"{GUIDE}#what-is-to-be-seen-of-a-job", f"{GUIDE}#timers-and-counters"]),
        ("how-to/class-of-others.md", "A class that you may not change", ["docs/generator.md"]),
        ("how-to/package-and-link.md", "Package and link", [PACKAGES]),
        ("how-to/from-boost-mpi.md", "Port from Boost.MPI", [f"{COMING}#boostmpi"]),
        ("how-to/from-mpi.md", "Port from raw MPI", [f"{COMING}#plain-mpi"]),
        ("how-to/from-others.md", "Port from other libraries", [f"{COMING}#kamping", f"{COMING}#mel", f"{COMING}#mpi-serializer", f"{COMING}#mpi4py"]),
        ("how-to/unchanged-program.md", "A program that cannot be changed", [f"{EXISTING}#a-program-that-cannot-be-changed",
                                                                             f"{EXISTING}#python"]),
    ]),
    ("Guide", [
        ("guide/objects.md", "Objects", [f"{GUIDE}#objects-what-travels-and-how", f"{GUIDE}#packing-by-hand"]),
        ("guide/graphs.md", "Graphs", [f"{GUIDE}#graphs-objects-that-point-to-each-other"]),
        ("guide/files.md", "Files", [f"{GUIDE}#files-save-and-load", f"{ERRORS}#files"]),
        ("guide/jobs.md", "Jobs", [f"{GUIDE}#a-job-tasks-replies-and-what-slaves-keep"]),
        ("guide/messages.md", "Messages", [f"{GUIDE}#messages-tags-several-types-operations-under-way", "docs/messages.md"]),
        ("guide/regions.md", "Guarded regions", [f"{GUIDE}#when-one-rank-fails-guarded-regions", f"{ERRORS}#guarded-regions"]),
        ("guide/collectives.md", "Collectives", [f"{GUIDE}#collectives-of-numbers-counts-by-name-results-in-your-own-memory",
                                                 f"{GUIDE}#collectives-that-go-on-meanwhile", f"{GUIDE}#beyond-mpi"]),
        ("guide/neighbours.md", "Neighbours and groups", [f"{GUIDE}#neighbours", f"{GUIDE}#groups-of-ranks", f"{ERRORS}#groups-of-ranks"]),
        ("guide/beside-mpi.md", "Beside your own MPI", [f"{GUIDE}#beside-your-own-mpi"]),
        ("guide/devices.md", "Devices", [f"{GUIDE}#devices-deep-copies-to-accelerators", f"{ERRORS}#devices"]),
        ("guide/exceptions.md", "Exceptions and assertions", [f"{ERRORS}#what-an-exception-brings-along", f"{ERRORS}#an-exception-class-of-your-own",
                                                              f"{ERRORS}#a-class-that-is-no-ferryexception", f"{ERRORS}#assertions"]),
    ]),
    ("Reference", [
        ("reference/api.md", "API", ["docs/reference.md"]),
        ("reference/names.md", "Names", ["docs/names.md"]),
        ("reference/options.md", "Options and variables", ["docs/options.md"]),
        ("reference/exit-statuses.md", "Reports and exit statuses", [f"{ERRORS}#the-report-and-the-exit-status"]),
        ("reference/what-arrives-where.md", "What arrives where", [f"{ERRORS}!", f"{ERRORS}#what-arrives-where"]),
        ("reference/wire-format.md", "Wire format", ["docs/wire-format.md"]),
        ("reference/cmake.md", "CMake targets", [f"{PACKAGES}#components", f"{PACKAGES}#shared-libraries", f"{PACKAGES}#versions"]),
    ]),
    ("Explanation", [
        ("explanation/exception.md", "How an exception travels", ["docs/exception-travels.md"]),
        ("explanation/ending.md", "How a job ends", [f"{ERRORS}#how-a-job-ends", f"{ERRORS}#when-memory-runs-out"]),
        ("explanation/architecture.md", "Architecture", ["docs/architecture.md"]),
        ("explanation/simulation.md", "Simulation", ["docs/simulation.md"]),
        ("explanation/testing.md", "How Ferry is tested", ["docs/testing.md"]),
        ("explanation/guarded-mpi.md", "Guarded MPI code", [f"{EXISTING}#what-happens-in-a-region", f"{EXISTING}#what-is-supported",
                                                            f"{EXISTING}#what-was-tested", f"{EXISTING}#what-it-costs"]),
        ("explanation/compared.md", "Compared with others", [COMING]),
        ("explanation/limits.md", "Limits", [f"{ERRORS}#not-covered-yet", f"{EXISTING}#limits"]),
    ]),
    ("Benchmarks", [
        ("benchmarks/index.md", "Benchmarks", ["docs/benchmarks.md"]),
        ("benchmarks/timetabling.md", "Timetables", [f"{SOLVER}#speed-and-quality-in-two-plots", f"{SOLVER}#results",
                                                     f"{SOLVER}#what-a-timetable-costs"]),
    ]),
    ("Project", [
        ("project/changes.md", "Changes", ["CHANGELOG.md"]),
        ("project/stable.md", "What stays", ["docs/stability.md"]),
        ("project/machines.md", "Compilers and machines", ["docs/machines.md"]),
        ("project/policies.md", "Policies", ["docs/policies.md"]),
        ("project/contributing.md", "Contributing", ["CONTRIBUTING.md"]),
        ("project/support.md", "Support", ["SUPPORT.md"]),
        ("project/security.md", "Security", ["SECURITY.md"]),
        ("project/recipes.md", "Recipes", ["packaging/README.md"]),
    ]),
]
