# SPDX-License-Identifier: Apache-2.0
"""A session of our own: a bus, a sound server with a null sink, and the player, all as one user.

VLC refuses to run as root, and PulseAudio shares memory only within one user. Run by root, everything here but the suite
itself becomes the user nobody.
"""
import os
import pwd
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

BUS_CONFIGURATION = """<busconfig><type>session</type><listen>unix:path={socket}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
<allow user="*"/></policy></busconfig>
"""
START = 20.0  # s that a server may take to accept connections
END = 10.0    # s that a process may take to end


class Unable(Exception):
    """The suite cannot run here."""


def unprivileged():
    """Returns the user id for children of root, None if the suite is not run by root."""
    return pwd.getpwnam('nobody').pw_uid if os.geteuid() == 0 else None


class Process:
    """A child in a process group of its own. Its output goes to a file, the end of which explains why it ended."""

    def __init__(self, command, environment, log, user=None):
        self.log = log
        identity = {} if user is None else {'user': user, 'group': user, 'extra_groups': []}
        try:
            with open(log, 'ab') as out:
                self.child = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                              cwd='/', process_group=0, **identity)
        except OSError as fault:
            raise Unable(f'{command[0]} cannot be started: {fault.strerror}')

    @property
    def code(self):
        return self.child.poll()

    def end(self, how=signal.SIGTERM):
        """Ends the child and what it started, and returns its exit code."""
        for sent in (how, signal.SIGKILL):
            self._send(sent)
            try:
                self.child.wait(END)
                break
            except subprocess.TimeoutExpired:
                continue
        self._send(signal.SIGKILL)
        return self.child.returncode

    def _send(self, number):
        try:
            os.killpg(self.child.pid, number)
        except ProcessLookupError:
            pass

    def said(self):
        """Returns the last line of its output."""
        with open(self.log, errors='replace') as f:
            lines = [line.strip() for line in f if line.strip()]
        return lines[-1][-160:] if lines else ''


class World:
    """A private session inside `with`. Without `private` it is that of the user: their bus, their sound, nothing is started."""

    def __init__(self, private, sound=True, same_user=False):
        self.private, self.sound = private, sound
        self.folder = tempfile.mkdtemp(prefix='rostrum-mpris.')
        os.chmod(self.folder, 0o755)
        self.user = unprivileged() if private and not same_user else None
        self.bus = self.server = None
        self.launchers = []

    def __enter__(self):
        # What was started must be ended, too, if the suite is asked to end.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))
        if not self.private:
            self.environment = dict(os.environ)
            self.address = os.environ.get('DBUS_SESSION_BUS_ADDRESS')
            if not self.address:
                raise Unable('there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set; use --private')
            return self
        try:
            self._begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _begin(self):
        run, home = self.folder + '/run', self.folder + '/home'
        for folder in (run, home):
            os.mkdir(folder, 0o700)
            if self.user is not None:
                os.chown(folder, self.user, self.user)
        self.socket = run + '/bus'
        self.address = 'unix:path=' + self.socket
        self.environment = {
            'PATH': os.environ.get('PATH', '/usr/bin:/bin'), 'LANG': 'C.UTF-8', 'HOME': home, 'XDG_RUNTIME_DIR': run,
            'XDG_CONFIG_HOME': home + '/config', 'XDG_DATA_HOME': home + '/data', 'XDG_STATE_HOME': home + '/state',
            'XDG_CACHE_HOME': home + '/cache', 'PULSE_SERVER': f'unix:{run}/pulse.sock', 'PULSE_RUNTIME_PATH': run + '/pulse',
            'DBUS_SESSION_BUS_ADDRESS': self.address,
        }
        self.configuration = self.folder + '/bus.conf'
        with open(self.configuration, 'w') as f:
            f.write(BUS_CONFIGURATION.format(socket=self.socket))
        self.start_bus()
        if self.sound:
            self.server = Process(
                ['pulseaudio', '-n', '--system=false', '--daemonize=no', '--use-pid-file=no', '--exit-idle-time=-1',
                 '--realtime=no', '--high-priority=no', '--log-target=stderr',
                 '-L', f'module-native-protocol-unix auth-anonymous=1 auth-cookie-enabled=0 socket={run}/pulse.sock',
                 '-L', 'module-null-sink sink_name=ear rate=48000 channels=2'],
                self.environment, self.folder + '/pulse.log', self.user)
            accepts(run + '/pulse.sock', self.server)

    def start_bus(self):
        self.bus = Process(['dbus-daemon', '--nofork', '--nopidfile', '--config-file=' + self.configuration],
                           self.environment, self.folder + '/bus.log', self.user)
        accepts(self.socket, self.bus)

    def restart_bus(self):
        """Ends the bus and starts another one at the same address."""
        self.bus.end()
        if os.path.exists(self.socket):
            os.remove(self.socket)
        self.start_bus()

    def launcher(self, command, template=''):
        made = Launcher(self, command, template)
        self.launchers.append(made)
        return made

    def __exit__(self, *_):
        for launcher in self.launchers:
            launcher.end()
        for process in (self.server, self.bus):
            if process:
                process.end()
        shutil.rmtree(self.folder, ignore_errors=True)


class Launcher:
    """The command that starts the player."""

    def __init__(self, world, command, template=''):
        self.world, self.command, self.template = world, command, template
        self.process = None

    def start(self):
        """Ends what still runs and starts the player."""
        self.end()
        self.process = self.another()

    def another(self):
        """Starts the player and leaves what runs alone: a second instance."""
        return Process(shlex.split(self.command), self.world.environment, self.world.folder + '/player.log', self.world.user)

    def end(self):
        """Ends the player; returns a word about how it went."""
        if not self.process:
            return 'it was not started'
        code = self.process.code
        self.process.end()
        said = self.process.said()
        self.process = None
        return ('it ran' if code is None else f'it had exited with {code}') + (f' and said: {said}' if said else '')


def accepts(path, process):
    """Waits until a server accepts connections at a socket."""
    end = time.monotonic() + START
    while True:
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                return probe.connect(path)
            except OSError:
                pass
        if process.code is not None or time.monotonic() > end:
            raise Unable(f'a private server did not start: {process.said()}')
        time.sleep(0.02)
