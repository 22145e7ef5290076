# SPDX-License-Identifier: Apache-2.0
"""The built programs, in the session that the server's environment makes private."""
import json
import os
import subprocess

from sound_server import until


class Player:
    def __init__(self, build, environment):
        self.program = os.path.join(build, 'rostrum')
        self.environment = environment
        self.attached = []

    def __call__(self, *arguments):
        """Runs one command to its end and returns its output. A failure raises an error with the line that it printed."""
        r = subprocess.run([self.program, *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                           capture_output=True, text=True, timeout=60)
        if r.returncode:
            raise RuntimeError(f'rostrum {" ".join(arguments)} exited {r.returncode}: {r.stderr.strip()}')
        return r.stdout

    def attach(self, *arguments):
        """Starts a player that stays attached, without a terminal."""
        p = subprocess.Popen([self.program, *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.attached.append(p)
        return p

    def status(self):
        return json.loads(self('status', '--json'))

    def session(self):
        """Returns the session's process, or None."""
        try:
            with open(self.environment['XDG_RUNTIME_DIR'] + '/rostrum/session.lock') as f:
                pid = int(f.read())
            with open(f'/proc/{pid}/comm') as f:
                return pid if f.read().strip() == 'rostrumd' else None
        except (OSError, ValueError):
            return None

    def end(self):
        """Closes every attached player; the session then exits by itself. Returns False if it had to be ended."""
        for p in self.attached:
            if p.poll() is None:
                p.send_signal(2)
        for p in self.attached:
            try:
                p.wait(30)
            except subprocess.TimeoutExpired:
                p.kill()
                p.wait()
            p.stderr.close()
        self.attached = []
        try:
            until(lambda: self.session() is None, 30, 'the end of the session')
            return True
        except TimeoutError:
            os.kill(self.session(), 9)
            return False
