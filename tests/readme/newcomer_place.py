# SPDX-License-Identifier: MIT
"""Where a newcomer types what the README says: nothing is there but the program and the examples."""
import os, shutil, signal, subprocess, sys, tempfile, time, urllib.error, urllib.request

PATIENCE = 120  # seconds; a guard, no measure
SERVER = "http://localhost:3000"  # as the README has it
INSIDE = "OCTOSTORE_README_TEST_IS_ALONE"


def be_alone():
    """Goes on in a network of its own: there the README's ports are free. 77: not allowed here."""
    if INSIDE in os.environ:
        return
    unshare = ["unshare", "--net"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
    alone = ["sh", "-c", 'ip link set lo up && exec "$@"', "sh", sys.executable] + sys.argv
    if subprocess.run(unshare + ["ip", "link", "set", "lo", "up"], stderr=subprocess.DEVNULL).returncode:
        print("a network of its own is not to be had here")
        sys.exit(77)
    os.environ[INSIDE] = "yes"
    os.execvp(unshare[0], unshare + alone)


class NewcomerPlace:
    """A folder and a home that are empty; what was started in it ends with it."""

    def __init__(self, program, source):
        self.folder = tempfile.mkdtemp(prefix="octostore-readme-")
        self.processes = []
        self.write("home/.keep", "")
        # run.sh builds what it starts; here that is built.
        self.write("scripts/run.sh", f'#!/bin/sh\nexec "{program}" "$@"\n')
        os.makedirs(self.path("build/release"))
        os.symlink(os.path.dirname(program), self.path("build/release/bin"))
        os.symlink(os.path.join(source, "examples"), self.path("examples"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as file:
            file.write(text)
        os.chmod(self.path(name), 0o700)

    def read(self, name):
        with open(self.path(name), errors="replace") as file:
            return file.read()

    def start(self, script, name):
        """bash runs the script; what it says is in the files NAME.out and NAME.err."""
        environment = {"PATH": os.environ["PATH"], "HOME": self.path("home"), "LC_ALL": "C.UTF-8"}
        with open(self.path(name + ".out"), "w") as out, open(self.path(name + ".err"), "w") as err:
            process = subprocess.Popen(
                ["bash", "-c", script], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                stdout=out, stderr=err, start_new_session=True)
        self.processes.append(process)
        return process

    def start_server(self, script):
        process = self.start(script, "server")
        if not self.until(lambda: get("/health")[0] == 200 or process.poll() is not None):
            raise AssertionError("the server does not answer")
        if process.poll() is not None:
            raise AssertionError("the server ended: " + self.said("server"))

    def said(self, name):
        return self.read(name + ".out") + "\n" + self.read(name + ".err")

    @staticmethod
    def until(condition):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if condition():
                return True
            time.sleep(0.05)
        return False

    def close(self):
        # The group and not the process: a script may have left something in the background.
        for process in self.processes:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def get(path, headers=None):
    """Status and text; 0 without an answer."""
    try:
        request = urllib.request.Request(SERVER + path, headers=headers or {})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""
    except OSError:
        return 0, ""
