"""What must be seen of each way to end in endings.cpp: the exit status, the report, and whose destructors ran."""

SIGNAL_STATUS = {"HUP": 129, "INT": 130, "TERM": 143}
NO_STATUS = None    # any status except 0


class Way:
    """One way to end.

    `report` is a pattern that standard error must hold; with `{last}` for the failing rank. None: standard error stays empty.
    `unwound` names the sentinels that must have been destroyed: "master", "slaves", "ranks" (all but the one that fails with "ranks*").
    """
    def __init__(self, name, group, status, report=None, unwound=(), launchers=("threads", "mpirun"), minRanks=2, stopped=True, signals=(),
                 threadsStatus=NO_STATUS, stranger=False, program=None, arguments=(), rankStatuses=True, sameWish=False, forks=False):
        self.name = name
        self.group = group
        self.status = status
        self.report = report
        self.unwound = unwound
        self.isForced = group == "forced" or "Deaf" in name
        self.launchers = launchers
        self.minRanks = minRanks
        self.stopped = stopped and report is not None    # whether the report is that of a job that was stopped
        self.signals = signals                           # (target, name, number of signals)
        self.threadsStatus = status if threadsStatus is NO_STATUS else threadsStatus
        self.stranger = stranger
        self.program = program or name                   # the first argument of endings.cpp
        self.arguments = arguments
        self.rankStatuses = rankStatuses                 # whether every rank exits with the status
        self.forks = forks                               # leak checkers see threads in a child process that exist only in its parent
        self.sameWish = sameWish                         # whether repeated signals come at once


MPI = ("mpirun",)
ALL = ("master", "slaves")

MASTER = [
    Way("masterReturns", "master", 0, unwound=ALL),
    Way("masterReturnsAtOnce", "master", 0, unwound=("master",)),
    Way("masterReturnsWhileTasksRun", "master", 0, unwound=ALL + ("handlers",)),
    Way("masterThrowsStandard", "master", 1, r"std::out_of_range on rank 0 .*\n    no such room", ALL + ("handlers",)),
    Way("masterThrowsOwn", "master", 1, r"endings::Overfull on rank 0 .*\n    more students than seats", ALL + ("handlers",)),
    Way("masterThrowsInt", "master", 1, r"int on rank 0 ", ALL + ("handlers",)),
    Way("masterAsserts", "master", 3, r"AssertionFailure on rank 0 .*\n.*from the master", ALL + ("handlers",)),
    Way("masterSwallows", "master", 3, r"on rank [1-9].*\n.*swallowed", ALL),
    Way("masterSkipsRun", "master", 0),
    Way("masterSkipsRunWithStatus", "master", 9, rankStatuses=False),
    Way("mainThrowsOnMaster", "master", 1, r"std::runtime_error on rank 0 .*\n    before the job"),
    Way("mainThrowsOnSlave", "master", 1, r"std::runtime_error on rank {last} .*\n    before the job", launchers=MPI),
    Way("mainThrowsOnAll", "master", 1, r"std::runtime_error on rank \d+ .*\n    before the job"),
    Way("mainThrowsAfterRun", "master", 1, r"after the end of the job: std::runtime_error on rank 0 .*\n    when all is done", stopped=False,
        rankStatuses=False),
    Way("mainThrowsAndCatches", "master", 1, r"on rank 0 .*\n.*an exception left main\(\) on rank 0 before the job ran", rankStatuses=False),
    Way("nobodyRuns", "master", 0),
]

SLAVE = [
    Way("slaveAsserts", "slave", 3, r"AssertionFailure on rank {last} .*\n.*from a slave", ALL + ("handlers",)),
    Way("slaveBreaksNoexcept", "slave", 1, r"std::logic_error on rank {last} .*\n.*out of a noexcept function", ("master", "otherSlaves")),
    Way("slaveThreadThrows", "slave", 1, r"called (on rank \d|in the process of all ranks).* by a thread of its own: endings::Overfull", stopped=False, rankStatuses=False),
    Way("slaveThrowsUnasked", "slave", 0, r"dropped unseen, though the task had failed: the reply to task 1 from rank 1: endings::Overfull", ALL, stopped=False),
    Way("slaveSetUpThrows", "slave", 1, r"std::runtime_error on rank {last} .*\n    cannot set up", ("master", "otherSlaves")),
    Way("slaveStateThrowsWhenDestroyed", "slave", 1, r"std::runtime_error on rank {last} .*\n    out of a destructor", ("master",)),
    Way("allSlavesAssert", "slave", 3, r"AssertionFailure on rank \d+ .*\n.*all at once", ALL),
    Way("slaveSkipsRun", "slave", 4, r"rank {last} ended its program without running the job", ("master",), launchers=MPI, rankStatuses=False),
    Way("slaveAssertsUnderFreight", "slave", 3, r"AssertionFailure on rank {last} .*\n.*under freight", ALL),
]

QUICK = r"ferry: rank {last}: std::quick_exit\(\) was called before the end of the job"

EXIT = [
    Way("masterExits0", "exit", 0, unwound=("slaves",)),
    Way("masterExits5", "exit", 5, r"on rank 0 .*\n.*exit\(5\) was called on rank 0", ("slaves",)),
    Way("slaveExits0", "exit", 4, r"on rank {last} .*\n.*exit\(0\) was called on rank {last}", ("master", "otherSlaves")),
    Way("slaveExits6", "exit", 6, r"on rank {last} .*\n.*exit\(6\) was called on rank {last}", ("master", "otherSlaves")),
    Way("slaveExits256", "exit", 4, r"on rank {last} .*\n.*exit\(0\) was called on rank {last}", ("master", "otherSlaves")),
    Way("allSlavesExit6", "exit", 6, r"on rank \d+ .*\n.*exit\(6\) was called on rank \d+", ("master",)),
    Way("childExits", "exit", 0, unwound=("ranks",), launchers=MPI),
    Way("childLeavesMain", "exit", 0, unwound=("ranks",), forks=True),
    Way("exitsBeforeRun", "exit", 9),
    Way("masterExitsBeforeRun", "exit", 9, rankStatuses=False),
    Way("slaveExitsBeforeRun", "exit", 9, r"rank {last} ended its program without running the job", ("master",), launchers=MPI),
    Way("exitsAfterRun", "exit", 9, unwound=("slaves",)),
    Way("exitsWithStatusOfRun", "exit", 3, r"AssertionFailure on rank \d+", ALL),
    Way("everyRankExits0", "exit", 4, r"on rank {last} .*\n.*exit\(0\) was called on rank {last}"),
    Way("slaveQuicklyExits0", "exit", 4, QUICK, stopped=False, rankStatuses=False, launchers=("threads",)),
    Way("slaveQuicklyExits6", "exit", 6, QUICK, stopped=False, rankStatuses=False, launchers=("threads",)),
    Way("slaveThreadExits6", "exit", 6, r"exit\(6\) was called (on rank \d+|in the process of all ranks) by a thread of its own", stopped=False, rankStatuses=False),
]

OTHERS = ("otherRanks",)
EVERY_RANK = [
    Way("everyRankReturns", "everyRank", 0, unwound=("ranks",)),
] + [
    Way("throwsUnder" + call, "everyRank", 1, r"endings::Overfull on rank {last} ", ("ranks",))
    for call in ("Barrier", "Receive", "Broadcast", "Gather", "Work", "Freight")
] + [
    Way("throwsOnAll", "everyRank", 1, r"endings::Overfull on rank \d+ ", ("ranks",)),
    # A failure that all ranks meet is reported once.
    Way("guardedAsserts", "everyRank", 3, r"(?s)\A(?!.*\n  also ).*ExceptionList.*AssertionFailure on rank {last} .*in a region", ("ranks",)),
    Way("guardedFailureIsPassedOn", "everyRank", 1, r"(?s)\A(?!.*\n  also ).*Overfull on rank {last} ", ("ranks",)),
    # Many ranks meet the same failure: then it stands in the report once, further to the right.
    Way("receivesFromOneThatLeft", "everyRank", 1, r"ferry::RankHasLeft on rank \d+ .*\n +rank {last} has returned from its program", ("ranks",)),
    Way("barrierWithoutOneThatLeft", "everyRank", 1, r"ferry::RankHasLeft on rank \d+ .*\n +rank {last} has returned from its program", ("ranks",)),
    Way("receivesFromNobody", "everyRank", 1, r"ferry::RankHasLeft on rank 0 .*\n +every other rank has returned from its program", ("ranks",)),
    Way("missesOneThatLeft", "everyRank", 0, unwound=("ranks",)),
    Way("oneSkipsRunOnAll", "everyRank", 4, r"rank {last} ended its program without running the job", OTHERS, launchers=MPI, rankStatuses=False),
    Way("masterSkipsRunOnAll", "everyRank", 4, r"the master \(rank 0\) ended its program without running the job", launchers=MPI, rankStatuses=False),
]

STATUS = [
    Way("masterReturns7", "status", 7, unwound=ALL),
    Way("masterReturns7WhileTasksRun", "status", 7, unwound=ALL + ("handlers",)),
    Way("masterReturns256", "status", 0, unwound=ALL),
    Way("masterReturnsMinus1", "status", 255, unwound=ALL),
    Way("masterReturns7AndSlaveAsserts", "status", 3, r"AssertionFailure on rank {last} .*\n.*at the end", ALL),
    Way("everyRankReturnsItsNumber", "status", 1, unwound=("ranks",)),
    Way("lastRankReturns9", "status", 9, unwound=("ranks",)),
    Way("everyRankReturnsAndLastThrows", "status", 1, r"endings::Overfull on rank {last} ", ("ranks",)),
]

# An orderly end is impossible: MPI ends the other ranks, and threads end with their process.
LEFT_AT_ONCE = r"_exit\(0\) was called before the end of the job: the process ends with status 4"
DEATH = [
    Way("masterAborts", "death", 134, "", stopped=False, rankStatuses=False, threadsStatus=-6),
    Way("masterIsKilled", "death", 137, "", stopped=False, rankStatuses=False, threadsStatus=-9),
    Way("masterCrashes", "death", 139, "", stopped=False, rankStatuses=False, threadsStatus=-11),
    Way("slaveAborts", "death", 134, "", stopped=False, rankStatuses=False, threadsStatus=-6),
    Way("slaveIsKilled", "death", 137, "", stopped=False, rankStatuses=False, threadsStatus=-9),
    Way("slaveCrashes", "death", 139, "", stopped=False, rankStatuses=False, threadsStatus=-11),
    Way("slaveQuicklyExits0UnderMpirun", "death", 4, "", launchers=MPI, stopped=False, rankStatuses=False, program="slaveQuicklyExits0"),
    Way("slaveQuits0", "death", 4, LEFT_AT_ONCE, stopped=False, rankStatuses=False),
    Way("slaveThreadQuits0", "death", 4, LEFT_AT_ONCE, stopped=False, rankStatuses=False),
    Way("masterQuits0", "death", 4, LEFT_AT_ONCE, stopped=False, rankStatuses=False),
]

SIGNAL = [
    Way(f"{signal}To{target}", "signal", SIGNAL_STATUS[signal], rf"the job was stopped: SIG{signal}", ("master", "handlers"), program="listens",
        signals=((target, signal, 1),), launchers=MPI if target == "Slave" else ("threads", "mpirun"))
    for signal, target in (("INT", "Master"), ("INT", "Slave"), ("TERM", "Master"), ("TERM", "Slave"), ("HUP", "Master"))
] + [
    # mpirun tells all ranks to end (SIGTERM), and chooses its own status.
    Way(f"{signal}ToLauncher", "signal", NO_STATUS, "", program="listens", signals=(("Launcher", signal, 1),), launchers=MPI, stopped=False,
        rankStatuses=False)
    for signal in ("INT", "TERM")
] + [
    # timeout(1) signals the process and then its whole group. The two signals count as one, and the job stops in order.
    Way("INTDoubledToMaster", "signal", SIGNAL_STATUS["INT"], "the job was stopped: SIGINT", ("master", "handlers"), program="listens",
        signals=(("Master", "INT", 2),), sameWish=True),
    Way("INTTwiceToMaster", "signal", NO_STATUS, "", program="listensNot", signals=(("Master", "INT", 2),), stopped=False, rankStatuses=False),
    Way("INTTwiceToSlave", "signal", NO_STATUS, "", program="listensNot", signals=(("Slave", "INT", 2),), stopped=False, rankStatuses=False,
        launchers=MPI),
    Way("INTTwiceToLauncher", "signal", NO_STATUS, "", program="listens", signals=(("Launcher", "INT", 2),), stopped=False, rankStatuses=False,
        launchers=MPI),
]

FORCED = [
    Way("slaveAssertsUnderDeafMaster", "forced", 3, r"on rank \d+ (.*\n)+.*the master \(rank 0\) did not answer within 2000 ms", rankStatuses=False),
    Way("slaveAssertsBesideDeafSlave", "forced", 3, r"on rank {last} (.*\n)+.*rank 1 did not stop within 2000 ms", minRanks=3, rankStatuses=False),
    Way("slaveThrowsUnderMasterThatGoesOn", "forced", 1, r"Overfull on rank {last} (.*\n)+.*the master \(rank 0\) did not end within 2000 ms",
        arguments=("--ferry-grace", "0.4"), rankStatuses=False),
    Way("masterThrowsBesideDeafSlave", "forced", 1, r"on rank 0 (.*\n)+.*rank 1 did not stop within 2000 ms", rankStatuses=False),
    Way("TERMToDeafMaster", "forced", 143, r"rank 0 did not stop within 2000 ms after SIGTERM", program="listensNot", signals=(("Master", "TERM", 1),),
        stopped=False, rankStatuses=False),
    Way("INTToDeafSlave", "forced", 130, r"rank {last} did not stop within 2000 ms after SIGINT", program="listensNot", signals=(("Slave", "INT", 1),),
        stopped=False, rankStatuses=False, launchers=MPI),
]

# The launcher is ferryrun, which passes the first request to end on to a rank.
FERRYRUN = [
    Way(f"{signal}ToFerryrun", "ferryrun", SIGNAL_STATUS[signal], rf"the job was stopped: SIG{signal}", ("master", "handlers"), program="listens",
        signals=((target, signal, 1),), launchers=MPI, rankStatuses=False)
    for signal, target in (("INT", "Launcher"), ("TERM", "Launcher"), ("HUP", "Launcher"))
] + [
    Way("INTToGroupOfFerryrun", "ferryrun", 130, "the job was stopped: SIGINT", ("master", "handlers"), program="listens", signals=(("Group", "INT", 1),),
        launchers=MPI, rankStatuses=False),
    Way("INTToFerryrunOfDeafRanks", "ferryrun", 130, r"rank \d did not stop within 2000 ms after SIGINT", program="listensNot", signals=(("Launcher", "INT", 1),),
        launchers=MPI, stopped=False, rankStatuses=False),
]

START = [
    Way("strangerAmongRanks", "start", 5, r"the job does not start: .*class endings::OnlyHere is known on rank {last} but not on rank 0", launchers=MPI,
        stopped=False, stranger=True, program="masterReturns"),
    Way("wrongOption", "start", 2, r"the job does not start: .*--ferry-log", stopped=False, program="masterReturns",
        arguments=("--ferry-log", "nonsense")),
]

WAYS = MASTER + SLAVE + EXIT + EVERY_RANK + STATUS + DEATH + SIGNAL + FORCED + FERRYRUN + START
