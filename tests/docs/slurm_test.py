# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/study.slurm, by itself and, where Slurm is installed, on a slurmctld and a slurmd of its own."""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1))
SCRIPT = pathlib.Path(sys.argv.pop(1)) / "docs/study.slurm"
SLURM = ("slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "munged")
REPEATS = 6
PARTS = 3


class ScriptTest(unittest.TestCase):
    """The number of parts is an argument, independent of the array."""

    def test_takes_its_part_of_all_parts(self):
        with tempfile.TemporaryDirectory() as folder:
            tool = pathlib.Path(folder) / "energy-profiler"
            tool.write_text('#!/bin/sh\necho "$@"\n')
            tool.chmod(0o755)
            environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}",
                           "SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_COUNT": "1"}
            subprocess.run(["bash", SCRIPT, "study.json", f"{folder}/out", "8"], env=environment, check=True)
            self.assertEqual((pathlib.Path(folder) / "out/part2.json").read_text(),
                             f"study study.json --shard 2/8 --db {folder}/out/part2.db --json\n")

    def test_says_how_it_is_called(self):
        for arguments, task in ((["study.json", "out"], "1"), (["study.json", "out", "8"], "")):
            environment = {**os.environ, "SLURM_ARRAY_TASK_ID": task}
            result = subprocess.run(["bash", SCRIPT, *arguments], env=environment, text=True, capture_output=True)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("sbatch --array=1-PARTS study.slurm STUDY.json RESULTS_FOLDER PARTS", result.stderr)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


@unittest.skipUnless(all(shutil.which(tool, path=f"{os.environ['PATH']}:/usr/sbin") for tool in SLURM)
                     and os.geteuid() == 0, "Slurm is not installed, or this is not root")
class ClusterTest(unittest.TestCase):
    """A one-node cluster in a temporary folder."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.folder.chmod(0o755)
        self.processes = []
        self.addCleanup(self.stop)
        for name in ("state", "spool", "run", "bin"):
            (self.folder / name).mkdir(mode=0o755)
        (self.folder / "bin/energy-profiler").symlink_to(PROGRAM)
        host = socket.gethostname().split(".")[0]
        controller, node = free_ports(2)
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        configuration = self.folder / "slurm.conf"
        configuration.write_text("\n".join([
            "ClusterName=test", f"SlurmctldHost={host}(127.0.0.1)", f"SlurmctldPort={controller}",
            f"SlurmdPort={node}", "SlurmUser=root", "SlurmdUser=root", "AuthType=auth/munge",
            f"AuthInfo=socket={self.folder}/munge.socket", "CryptoType=crypto/munge",
            f"StateSaveLocation={self.folder}/state", f"SlurmdSpoolDir={self.folder}/spool",
            f"SlurmctldPidFile={self.folder}/run/ctld.pid", f"SlurmdPidFile={self.folder}/run/d.pid",
            "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "JobAcctGatherType=jobacct_gather/none",
            "SwitchType=switch/none", "MpiDefault=none", "ReturnToService=2", "KillWait=2", "SelectType=select/linear",
            "SchedulerParameters=batch_sched_delay=1,sched_interval=1",
            f"NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN",
            f"PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP", ""]))
        self.environment = {**os.environ, "SLURM_CONF": str(configuration),
                            "PATH": f"{self.folder}/bin:{os.environ['PATH']}:/usr/sbin:/sbin",
                            "XDG_DATA_HOME": str(self.folder / "data")}
        self.start("munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket",
                   f"--key-file={key}", f"--pid-file={self.folder}/run/munge.pid",
                   f"--log-file={self.folder}/munge.log", f"--seed-file={self.folder}/munge.seed")
        self.wait_for("munged", lambda: (self.folder / "munge.socket").exists())
        self.start("slurmctld", "-D")
        self.start("slurmd", "-D", "-N", host)
        self.wait_for("the node", lambda: "idle" in self.slurm("sinfo", "-h", "-o", "%T"))
        self.study = self.folder / "study.json"
        self.study.write_text(json.dumps({
            "name": "slurm", "models": ["demo-llama-5m"], "prompts": ["Once upon a time"], "dtypes": ["f32", "bf16"],
            "output_tokens": 16, "warmup_tokens": 4, "repeats": REPEATS, "power": "modelled", "threads": 1}))

    def start(self, *command):
        log = open(self.folder / f"{command[0]}.out", "wb")
        self.addCleanup(log.close)
        self.processes.append(subprocess.Popen(command, env=self.environment, stdout=log, stderr=log))

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def logs(self):
        return "\n".join(file.read_text(errors="replace")[-2000:] for file in self.folder.glob("*.out"))

    def wait_for(self, what, condition, seconds=60):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                self.fail(f"waited {seconds} s for {what}\n{self.logs()}")
            time.sleep(0.2)

    def slurm(self, *command):
        return subprocess.run(command, env=self.environment, text=True, capture_output=True).stdout

    def submit(self, array):
        output = subprocess.run(
            ["sbatch", "--parsable", f"--array={array}", f"--output={self.folder}/%A_%a.out",
             SCRIPT, self.study, self.folder / "results", str(PARTS)],
            env=self.environment, text=True, capture_output=True)
        self.assertEqual(output.returncode, 0, output.stderr)
        return output.stdout.strip()

    def states(self, job):
        return self.slurm("squeue", "-h", "-r", "-j", job, "-o", "%K %T").split("\n")

    def runs(self, database):
        output = subprocess.run([PROGRAM, "runs", "list", "--db", database, "--json"], env=self.environment,
                                text=True, capture_output=True, check=True).stdout
        return json.loads(output)["runs"]

    def test_every_cell_is_there_once(self):
        job = self.submit(f"1-{PARTS}")
        second = self.folder / "results/part2.db"
        self.wait_for("a run of part 2", lambda: second.exists() and len(self.runs(second)) >= 1, 120)
        # Killed as by preemption: Slurm requeues the task, which then resumes.
        self.slurm("scontrol", "requeue", f"{job}_2")
        # Slurm makes a requeued task wait for two minutes; this skips the wait.
        self.wait_for("part 2 to be requeued", lambda: "2 PENDING" in self.states(job))
        self.slurm("scontrol", "update", f"jobid={job}_2", "starttime=now")
        self.wait_for("all parts", lambda: not any(line.strip() for line in self.states(job)), 180)
        # Submitting one part again adds nothing and is not refused.
        again = self.submit("2")
        self.wait_for("part 2 again", lambda: not any(line.strip() for line in self.states(again)), 120)
        self.assertEqual((self.folder / f"{again}_2.out").read_text(), "", "part 2 complained")

        merged = self.folder / "merged.db"
        parts = [self.folder / f"results/part{part}.db" for part in range(1, PARTS + 1)]
        subprocess.run([PROGRAM, "runs", "import", *parts, "--db", merged], env=self.environment, check=True,
                       stdout=subprocess.DEVNULL)
        cells = [tag for run in self.runs(merged) for tag in run["info"]["tags"] if tag.startswith("cell:")]
        self.assertEqual(len(cells), 2 * REPEATS)
        self.assertEqual(len(set(cells)), 2 * REPEATS)
        report = subprocess.run([PROGRAM, "study", self.study, "--report", "--db", merged], env=self.environment,
                                text=True, capture_output=True)
        self.assertEqual(report.returncode, 0, report.stderr)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    unittest.main()
