# SPDX-License-Identifier: Apache-2.0
"""A sound server of our own with a null sink, and a recorder on the sink's monitor."""
import os
import shutil
import subprocess
import tempfile
import threading
import time

import numpy as np

from sound_daemons import Daemons
from waiting import connectable, until  # noqa: F401

RATE = 48000
# Of a recorder, in ms. PipeWire's graph turns as often as the most impatient of its clients wants, so a recorder must not
# ask for less than the player does (20 ms): in turns of 5 ms PipeWire misses some, with pacat as with any other player.
LATENCY = {'pulseaudio': 5, 'pipewire': 20}


class Server:
    """A server that runs inside `with`; `environment` is all that a client needs to find it, and nothing of the user's own.

    Its kind is `pulseaudio` or `pipewire`.
    """

    def __init__(self, kind='pulseaudio'):
        self.kind = kind

    def __enter__(self):
        # Not under the build folder: the path of a socket may be 107 bytes long at most.
        self.folder = tempfile.mkdtemp(prefix='rostrum-listening.')
        os.chmod(self.folder, 0o700)
        run, home = self.folder + '/run', self.folder + '/home'
        os.mkdir(run, 0o700)
        os.mkdir(home, 0o700)
        self.environment = {
            'PATH': os.environ.get('PATH', '/usr/bin:/bin'), 'LANG': 'C.UTF-8', 'HOME': home, 'XDG_RUNTIME_DIR': run,
            'XDG_CONFIG_HOME': home + '/config', 'XDG_DATA_HOME': home + '/data', 'XDG_STATE_HOME': home + '/state',
            'XDG_CACHE_HOME': home + '/cache', 'PULSE_RUNTIME_PATH': run + '/pulse',
        }
        self.daemons = Daemons(self.kind, self.folder, self.environment)
        try:
            self.ear = self.add_sink('ear')
            # PipeWire has a default sink when WirePlumber has seen the sink.
            until(lambda: self.pactl('get-default-sink') == 'ear', 15, 'the sink of the private sound server')
            self.recorder = Recorder(self.environment, LATENCY[self.kind])
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if hasattr(self, 'recorder'):
            self.recorder.close()
        self.daemons.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def pactl(self, *words):
        return subprocess.run(['pactl', *words], env=self.environment, check=True, capture_output=True, text=True,
                              timeout=10).stdout.strip()

    def add_sink(self, name):
        """Adds a null sink; returns the number of the module that provides it."""
        # PipeWire has no rewinding, and calls the format by the same name.
        options = ('format=float32le', 'norewinds=1') if self.kind == 'pulseaudio' else ()
        return self.pactl('load-module', 'module-null-sink', 'sink_name=' + name, f'rate={RATE}', 'channels=2', *options)

    def move_streams(self, sink):
        """Moves every stream to a sink, as its user would.

        WirePlumber leaves a stream where it is if it is asked before it has seen the sink, and does not say so (0.4.13): of
        24 moves beside three busy loops it left two. So each is asked for until it is done.
        """
        def numbers():
            lines = self.pactl('list', 'short', 'sinks').splitlines()
            return [line.split()[0] for line in lines if line.split()[1] == sink]
        number = until(numbers, 10, sink)[0]

        def elsewhere():
            lines = self.pactl('list', 'short', 'sink-inputs').splitlines()
            return [line.split()[0] for line in lines if line.split()[1] != number]
        end = time.monotonic() + 20
        while streams := elsewhere():
            if time.monotonic() > end:
                raise TimeoutError(f'waited 20 s for streams to move to {sink}')
            for stream in streams:
                self.pactl('move-sink-input', stream, sink)
            try:
                until(lambda: not elsewhere(), 1, 'the move')
            except TimeoutError:
                print(f'--    {sink}: the server leaves a stream where it is; it is asked again')


class Recorder:
    """A recording of everything that the sink played since the start, left and right; `now` is its end, in seconds."""

    def __init__(self, environment, latency):
        self.process = subprocess.Popen(
            ['parec', '--raw', '--device=ear.monitor', '--format=float32le', f'--rate={RATE}', '--channels=2',
             f'--latency-msec={latency}'], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
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
