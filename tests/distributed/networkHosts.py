"""Several hosts on one machine: network namespaces with names of their own, joined by a bridge.

The machine itself has the first address of their network. Needs root, ip (iproute2), nsenter and unshare (util-linux); whyNotPossible() says what is missing.
"""
import os
import random
import shutil
import signal
import socket
import subprocess
import time

SETTLE_S = 10     # time for a link to carry the first packet
IN_HOST = 'hostname "$0"; exec "$@"'

# A process on the host is not a child of this process, as with ssh. The process lives on when this one is killed.
AGENT = """#!/bin/sh
while case "$1" in -*) true ;; *) false ;; esac; do shift; done
address="$1"
shift
case "$address" in
PLACES
    *) echo "no such host: $address" >&2; exit 255 ;;
esac
isUp() { grep -q up "/sys/class/net/$link/operstate" 2>/dev/null; }
isUp || { echo "no route to host $address" >&2; exit 255; }
pipe="$0.$$"
mkfifo "$pipe"
(setsid nsenter --net="/run/netns/$space" unshare --uts sh -c "hostname $name; eval \\"\\$0\\"" "$*" <"/dev/null" >"$pipe" 2>&1 &)
cat "$pipe"
rm -f "$pipe"
while ! isUp && kill -0 "$PPID" 2>/dev/null; do sleep 0.1; done
"""


def run(*command, check=True):
    """Runs a short command. Returns its standard output."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    if check and done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def whyNotPossible():
    """Returns a text with the missing requirement, or None if namespaces can be made."""
    if missing := [tool for tool in ("ip", "nsenter", "unshare", "hostname") if shutil.which(tool) is None]:
        return f"{', '.join(missing)} is not installed"
    try:
        with NetworkHosts(1):
            return None
    except (RuntimeError, OSError, subprocess.TimeoutExpired) as problem:
        return f"this machine makes no network namespaces ({problem})"


class NetworkHosts:
    """Hosts 1 to count, while the context is entered. At the end, all their processes are killed."""
    def __init__(self, count):
        self.count = count
        chance = random.SystemRandom()
        self.mark = f"fy{chance.randrange(16**5):05x}"
        self.network = f"10.{chance.randrange(64, 250)}.{chance.randrange(250)}"

    def name(self, host):
        return f"ferry{host}"

    def space(self, host):
        return f"{self.mark}h{host}"

    def link(self, host):
        return f"{self.mark}v{host}"

    def address(self, host):
        return f"{self.network}.{10 + host}"

    @property
    def ownAddress(self):
        return f"{self.network}.1"

    def all(self):
        return range(1, self.count + 1)

    def __enter__(self):
        try:
            self.make()
        except BaseException:
            self.remove()
            raise
        return self

    def __exit__(self, *failure):
        self.remove()

    def make(self):
        run("ip", "link", "add", self.mark, "type", "bridge")
        run("ip", "address", "add", f"{self.ownAddress}/24", "dev", self.mark)
        run("ip", "link", "set", self.mark, "up")
        for host in self.all():
            space = self.space(host)
            run("ip", "netns", "add", space)
            run("ip", "link", "add", self.link(host), "type", "veth", "peer", "name", "eth0", "netns", space)
            run("ip", "link", "set", self.link(host), "master", self.mark, "up")
            run("ip", "-n", space, "address", "add", f"{self.address(host)}/24", "dev", "eth0")
            for device in ("eth0", "lo"):
                run("ip", "-n", space, "link", "set", device, "up")
        for host in self.all():
            self.awaitLink(host)

    def awaitLink(self, host):
        """Waits until this machine reaches the host: then the host refuses a connection, and the connection is not lost on the way."""
        end = time.monotonic() + SETTLE_S
        while "lladdr" not in run("ip", "neigh", "show", self.address(host), check=False):
            if time.monotonic() > end:
                raise RuntimeError(f"host {host} cannot be reached over its link")
            knock(self.address(host))

    def remove(self):
        for host in self.all():
            self.killAll(host)
            run("ip", "netns", "delete", self.space(host), check=False)
            run("ip", "link", "delete", self.link(host), check=False)
        run("ip", "link", "delete", self.mark, check=False)

    def enterSpace(self, host):
        """Not \"ip netns exec\": that command mounts a new /sys, without the control groups that slurmd needs."""
        return ["nsenter", f"--net=/run/netns/{self.space(host)}", "unshare", "--uts"]

    def command(self, host, *command):
        """Returns the command line that runs a command on a host."""
        return [*self.enterSpace(host), "sh", "-c", IN_HOST, self.name(host), *command]

    def processes(self, host):
        return [int(word) for word in run("ip", "netns", "pids", self.space(host), check=False).split()]

    def killAll(self, host):
        """Kills all processes on the host, also those that start meanwhile."""
        while processes := self.processes(host):
            for process in processes:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.02)

    def setLink(self, host, state):
        """Sets the link of the host: \"down\" cuts the host off, \"up\" connects it again."""
        run("ip", "link", "set", self.link(host), state)

    def writeAgent(self, path):
        """A program that stands in for ssh: the first argument is the address of a host, the others are a command for its shell. A host
        that is cut off cannot be reached, and nobody hears from it that a command has ended."""
        places = "\n".join(f"    {self.address(host)}) space={self.space(host)} name={self.name(host)} link={self.link(host)} ;;" for host in self.all())
        with open(path, "w", encoding="ascii") as file:
            file.write(AGENT.replace("PLACES", places))
        os.chmod(path, 0o755)


def knock(address):
    """Makes the kernel look for the neighbour again."""
    with socket.socket() as knocker:
        knocker.settimeout(0.1)
        try:
            knocker.connect((address, 9))
        except OSError:
            pass
