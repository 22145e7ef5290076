# SPDX-License-Identifier: Apache-2.0
"""A PulseAudio server of our own with a null sink, and a recorder on the sink's monitor."""
import os
import select
import shutil
import socket
import subprocess
import tempfile
import threading
import time

import numpy as np

RATE = 48000


class Server:
    """A server that runs inside `with`; `environment` is all that a client needs to find it, and nothing of the user's own."""

    def __enter__(self):
        # Not under the build folder: the path of a socket may be 107 bytes long at most.
        self.folder = tempfile.mkdtemp(prefix='rostrum-listening.')
        os.chmod(self.folder, 0o700)
        run, home = self.folder + '/run', self.folder + '/home'
        os.mkdir(run, 0o700)
        os.mkdir(home, 0o700)
        address = run + '/pulse.sock'
        self.environment = {
            'PATH': os.environ.get('PATH', '/usr/bin:/bin'), 'LANG': 'C.UTF-8', 'HOME': home, 'XDG_RUNTIME_DIR': run,
            'XDG_CONFIG_HOME': home + '/config', 'XDG_DATA_HOME': home + '/data', 'XDG_STATE_HOME': home + '/state',
            'XDG_CACHE_HOME': home + '/cache', 'PULSE_SERVER': 'unix:' + address, 'PULSE_RUNTIME_PATH': run + '/pulse',
        }
        self.log = open(self.folder + '/pulse.log', 'wb')
        self.process = subprocess.Popen(
            ['pulseaudio', '-n', '--system=false', '--daemonize=no', '--use-pid-file=no', '--exit-idle-time=-1',
             '--realtime=no', '--high-priority=no', '--log-target=stderr',
             '-L', f'module-native-protocol-unix auth-anonymous=1 auth-cookie-enabled=0 socket={address}',
             '-L', f'module-null-sink sink_name=ear rate={RATE} channels=2 format=float32le norewinds=1'],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        try:
            until(lambda: connectable(address), 15, 'the private sound server')
            self.recorder = Recorder(self.environment)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if hasattr(self, 'recorder'):
            self.recorder.close()
        self.process.terminate()
        self.process.wait(10)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Recorder:
    """A recording of everything that the sink played since the start, left and right; `now` is its end, in seconds."""

    def __init__(self, environment):
        self.process = subprocess.Popen(
            ['parec', '--raw', '--device=ear.monitor', '--format=float32le', f'--rate={RATE}', '--channels=2',
             '--latency-msec=5'], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self._chunks, self._frames, self._lock = [], 0, threading.Lock()
        self._forgotten = 0
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        until(lambda: self.now > 0.2, 10, 'the recorder')

    def _read(self):
        rest = b''
        while chunk := os.read(self.process.stdout.fileno(), 65536):
            chunk = rest + chunk
            rest = chunk[len(chunk) // 8 * 8:]
            part = np.frombuffer(chunk[:len(chunk) // 8 * 8], dtype='<f4').reshape(-1, 2)
            with self._lock:
                self._chunks.append(part)
                self._frames += len(part)

    @property
    def now(self):
        return self._frames / RATE

    def samples(self, start=0.0):
        """Returns the frames recorded from about `start` on."""
        with self._lock:
            if len(self._chunks) > 1:
                self._chunks = [np.concatenate(self._chunks)]
            return self._chunks[0][max(0, int(start * RATE) - self._forgotten):]

    def forget(self, before):
        """Drops what is older; the times of the rest stay the same."""
        with self._lock:
            x = np.concatenate(self._chunks)
            dropped = min(len(x), max(0, int(before * RATE) - self._forgotten))
            self._chunks = [x[dropped:].copy()]
            self._forgotten += dropped

    def wait(self, seconds):
        """Waits until the recording is that much longer, by the sink's clock, not ours."""
        end = self.now + seconds
        until(lambda: self.now >= end, seconds * 3 + 10, 'the recording')

    def close(self):
        self.process.terminate()
        self.process.wait(5)
        self._thread.join(5)
        self.process.stdout.close()


def until(condition, seconds, what):
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise TimeoutError(f'waited {seconds:.0f} s for {what}')
        select.select([], [], [], 0.01)
    return found


def connectable(path):
    with socket.socket(socket.AF_UNIX) as s:
        try:
            s.connect(path)
            return True
        except OSError:
            return False
