"""The two sides of the comparison as processes: the real client in its JVM, and ewin-sim."""

from __future__ import annotations

import glob
import os
import select
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
START_SECONDS = 120
FILE_SECONDS = 60  # for a file, and
SELECT_SECONDS = 30  # for each of its SELECTs: a busy machine is no difference

# What Flink reaches into in the JDK.
OPENED = ["java.io", "java.lang", "java.lang.reflect", "java.net", "java.nio", "java.text", "java.time", "java.util",
          "java.util.concurrent", "java.util.concurrent.atomic", "sun.nio.ch"]
MODULES = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED]


class FlinkError(Exception):
    """The real side can't be run at all."""


def home(given: str | None) -> Path:
    """A Flink home: the given one, or one that is laid out in the user's cache."""
    if given:
        return Path(given).resolve()
    done = subprocess.run([str(HERE / "flink-home")], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise FlinkError("Flink could not be laid out; give FLINK_HOME, or see above.")
    return Path(done.stdout.strip())


class Flink:
    """Flink's client, a file at a time, in one JVM that lasts as long as nothing hangs in it."""

    def __init__(self, flink_home: Path, work: Path) -> None:
        jars = sorted(glob.glob(f"{flink_home}/lib/*.jar") + glob.glob(f"{flink_home}/opt/flink-sql-*.jar")
                      + glob.glob(f"{flink_home}/opt/flink-python-*.jar"))
        if not any("flink-sql-gateway" in jar for jar in jars):
            raise FlinkError(f"{flink_home} is no complete Flink home: opt/ has no flink-sql-gateway jar.")
        self.work = work
        self.classes = work / "classes"
        self.path = ":".join(jars + [str(self.classes)])
        self.jvm: subprocess.Popen[bytes] | None = None
        (work / "conf").mkdir(parents=True, exist_ok=True)
        (work / "conf" / "config.yaml").write_text("")
        self._compile()

    def _compile(self) -> None:
        command = ["javac", "-nowarn", "-cp", self.path, "-d", str(self.classes), str(HERE / "ClientLoop.java")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise FlinkError("ClientLoop.java does not compile:\n" + done.stderr)

    def _start(self) -> subprocess.Popen[bytes]:
        command = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx1g", "-Duser.timezone=UTC",
                   "-Dfile.encoding=UTF-8", "-Dlog4j2.level=OFF", *MODULES, "-cp", self.path, "ClientLoop"]
        environment = dict(os.environ, FLINK_CONF_DIR=str(self.work / "conf"), TZ="UTC", LC_ALL="C.UTF-8",
                           HOME=str(self.work))
        with open(self.work / "jvm.err", "ab") as err:
            jvm = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=err,
                                   env=environment, cwd=self.work, start_new_session=True)
        self.jvm = jvm
        if self._answer(START_SECONDS) != "ready":
            self.stop()
            raise FlinkError(f"Flink did not start; see {self.work}/jvm.err.")
        return jvm

    def _answer(self, seconds: float) -> str | None:
        """The next line, or nothing when the JVM is dead or too slow. The loop prints whole lines only."""
        assert self.jvm and self.jvm.stdout
        ready, _, _ = select.select([self.jvm.stdout], [], [], seconds)
        if not ready:
            return None
        return self.jvm.stdout.readline().decode(errors="replace").strip() or None

    def run(self, sql: Path, out: Path, selects: int) -> str:
        """Runs a file; what went wrong, or "ok"."""
        jvm = self.jvm or self._start()
        assert jvm.stdin
        try:
            jvm.stdin.write(f"{sql}\t{out}\n".encode())
            jvm.stdin.flush()
            answer = self._answer(FILE_SECONDS + SELECT_SECONDS * selects)
        except BrokenPipeError:
            answer = None
        if answer is None:
            self.stop()
            return "Flink did not end in time"
        return answer

    def output(self, sql: Path, selects: int) -> bytes:
        """What the client prints for a script; nothing when it does not end."""
        out = sql.with_suffix(".out")
        return out.read_bytes() if self.run(sql, out, selects) == "ok" else b""

    def stop(self) -> None:
        if self.jvm is None:
            return
        try:
            os.killpg(self.jvm.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.jvm.wait()
        self.jvm = None


@dataclass
class SimResult:
    status: str  # "ok", "refused" or "broken"
    out: bytes
    message: str


class Sim:
    def __init__(self, program: Path) -> None:
        self.program = program

    def normalize(self, output: bytes) -> bytes:
        """Either side's output without what differs in every run."""
        return subprocess.run([str(self.program), "normalize"], input=output, capture_output=True, check=True).stdout

    def run(self, sql: Path) -> SimResult:
        """A script's normalized output."""
        try:
            done = subprocess.run([str(self.program), "run", str(sql)], capture_output=True, timeout=60, check=False,
                                  env=dict(os.environ, TZ="UTC", LC_ALL="C.UTF-8"))
        except subprocess.TimeoutExpired:
            return SimResult("broken", b"", "ewin-sim did not end within 60 s")
        message = done.stderr.decode(errors="replace")
        if done.returncode == 0:
            return SimResult("ok", self.normalize(done.stdout), message)
        if done.returncode == 1:
            return SimResult("refused", done.stdout, message)
        return SimResult("broken", done.stdout, f"exit status {done.returncode}\n{message}")
