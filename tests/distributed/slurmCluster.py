"""A Slurm of its own: slurmctld on this machine, a slurmd on each of some NetworkHosts, and a munged with a key of its own for all of them."""
import os
import shutil
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scancel", "scontrol", "sinfo", "srun")
START_S = 30
CPUS = 8               # number of CPUs that each node reports
OVER = {"CANCELLED", "COMPLETED", "FAILED", "TIMEOUT", "NODE_FAIL"}

CONFIGURATION = """
ClusterName=ferry
SlurmctldHost={machine}({address})
SlurmctldPort=26817
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=10
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SlurmdTimeout=5
KillWait=15
MailProg=/bin/true
{nodes}
PartitionName=test Nodes=ALL Default=YES State=UP
"""


def whyNotPossible():
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    return f"{', '.join(missing)} is not installed (Debian: slurm-wlm, munge)" if missing else None


class SlurmCluster:
    """Slurm runs while the context is entered. The folder belongs to Slurm, and holds the logs of the daemons."""
    def __init__(self, folder, hosts):
        self.folder = folder
        self.hosts = hosts
        self.daemons = []
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("SLURM")}
        self.environment["SLURM_CONF"] = self.path("slurm.conf")

    def path(self, name):
        return os.path.join(self.folder, name)

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *failure):
        self.stop()

    def start(self):
        self.configure()
        with open(os.open(self.path("key"), os.O_WRONLY | os.O_CREAT, 0o600), "wb") as key:
            key.write(os.urandom(1024))
        files = [f"--{option}={self.path('munge.' + name)}" for option, name in
                 (("socket", "socket"), ("pid-file", "pid"), ("log-file", "log"), ("seed-file", "seed"))]
        self.startDaemon("munged", "munged", "--foreground", "--force", f"--key-file={self.path('key')}", *files)
        self.await_(lambda: os.path.exists(self.path("munge.socket")), "munged does not start")
        self.startDaemon("slurmctld", "slurmctld", "-D", "-i")
        for host in self.hosts.all():
            self.startNode(host)
        self.await_(lambda: self.idleNodes() == self.hosts.count, "the nodes do not come up")

    def configure(self):
        os.mkdir(self.path("state"))
        nodes = "\n".join(f"NodeName={self.hosts.name(host)} NodeAddr={self.hosts.address(host)} CPUs={CPUS}" for host in self.hosts.all())
        with open(self.path("slurm.conf"), "w", encoding="ascii") as file:
            file.write(CONFIGURATION.format(machine=socket.gethostname().split(".")[0], address=self.hosts.ownAddress, folder=self.folder, nodes=nodes))

    def startDaemon(self, name, *command):
        with open(self.path(name + ".said"), "ab") as said:
            self.daemons.append(subprocess.Popen(command, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said))

    def startNode(self, host):
        name = self.hosts.name(host)
        self.startDaemon(name, *self.hosts.command(host, "slurmd", "-D", "-N", name))

    def stop(self):
        """Ends the nodes first, with all their processes."""
        for host in self.hosts.all():
            self.hosts.killAll(host)
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def await_(self, isTrue, otherwise, seconds=START_S):
        end = time.monotonic() + seconds
        while not isTrue():
            if time.monotonic() > end:
                raise RuntimeError(f"{otherwise}\n{self.story()}")
            time.sleep(0.1)

    def ask(self, *command):
        """Returns the output of a command of Slurm; empty when the command fails, which happens to all of them now and then."""
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=60)
        return done.stdout.strip() if done.returncode == 0 else ""

    def idleNodes(self):
        return self.ask("sinfo", "--noheader", "--Node", "--format=%t").split().count("idle")

    def submit(self, script, arguments, options=(), variables=None):
        """Submits a job. Returns the number of the job."""
        done = subprocess.run(["sbatch", "--parsable", f"--chdir={self.folder}", *options, script, *arguments], cwd=self.folder,
                              env=self.environment | (variables or {}), capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
        if done.returncode != 0:
            raise RuntimeError(f"sbatch: {done.stderr}\n{self.story()}")
        return done.stdout.strip()

    def told(self, job, what):
        """Returns a field of Slurm's information on a job, such as JobState."""
        words = self.ask("scontrol", "show", "job", job).split()
        return next((word.split("=", 1)[1] for word in words if word.startswith(what + "=")), "")

    def awaitEnd(self, job, seconds):
        """Waits for the end of the job. Returns its state, and its status with the signal behind a colon."""
        self.await_(lambda: self.told(job, "JobState") in OVER, f"job {job} has not ended within {seconds} s", seconds)
        return self.told(job, "JobState"), self.told(job, "ExitCode")

    def story(self):
        """Returns the last lines of the logs of the daemons and jobs."""
        texts = []
        for name in sorted(os.listdir(self.folder)):
            if name.endswith((".said", ".out")):
                with open(self.path(name), encoding="utf-8", errors="replace") as file:
                    texts.append(f"---- {name}\n" + "".join(file.readlines()[-20:]))
        return "\n".join(texts)
