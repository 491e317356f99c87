"""What the benchmarks share: a bus, programs and their times, and how a ratio is printed."""
import os
import statistics
import subprocess

HERE = os.path.dirname(os.path.realpath(__file__))
PROGRAMS = HERE + "/.build/release/"
LIMITS = ("max_incoming_bytes", "max_outgoing_bytes", "max_message_size")


def start_bus(folder, services="", record=()):
    """A private bus and a daemon on it that answers at once.

    services: a folder of .service files; record: where the daemon writes what it is told, if anywhere.
    """
    with open(folder + "/bus.conf", "w") as config:
        limits = "".join(f'<limit name="{name}">1000000000</limit>' for name in LIMITS)
        config.write(f"""<busconfig><type>session</type><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/></policy>{limits}{services and f"<servicedir>{services}</servicedir>"}
            <limit name="max_replies_per_connection">100000</limit></busconfig>""")
    # What it logs of the services that it starts would stand between the results.
    with open(folder + "/bus.log", "wb") as log:
        bus = subprocess.Popen(["dbus-daemon", "--nofork", f"--config-file={folder}/bus.conf", "--print-address=1"],
                               stdout=subprocess.PIPE, stderr=log)
    bus.stdout.readline()
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={folder}/bus"
    daemon = subprocess.Popen([PROGRAMS + "responder", *record], stdout=subprocess.PIPE)
    daemon.stdout.readline()
    return bus, daemon


def whole(argv):
    """Seconds and peak kilobytes of a whole process, by a small launcher: a child of ours would inherit our peak."""
    answer = subprocess.run([PROGRAMS + "measure", *argv], check=True, text=True, timeout=30,
                            stdout=subprocess.PIPE).stdout.split()
    return float(answer[0]), int(answer[1])


def inner(program, mode, count):
    """Seconds that a program measured in itself."""
    return float(subprocess.run([PROGRAMS + program, mode, str(count)], check=True, text=True, timeout=120,
                                stdout=subprocess.PIPE).stdout)


def line(name, ours, theirs, goal, unit=1e3, of="ms"):
    ours, theirs = statistics.median(ours), statistics.median(theirs)
    print(f"{name:<34} {ours / theirs:5.2f}  goal {goal:<7} ({ours * unit:.3f} {of} : {theirs * unit:.3f} {of})", flush=True)
