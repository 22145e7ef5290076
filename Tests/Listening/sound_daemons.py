# SPDX-License-Identifier: Apache-2.0
"""The programs of a sound server: PulseAudio, or PipeWire with its server for PulseAudio's clients and WirePlumber."""
import os
import re
import shutil
import subprocess

from waiting import connectable, until

PROGRAMS = {'pulseaudio': ('pulseaudio',), 'pipewire': ('pipewire', 'pipewire-pulse', 'wireplumber', 'dbus-daemon')}
# What every test needs beside a server.
CLIENTS = ('parec', 'pactl')

# WirePlumber must leave the devices of this machine alone. It reads the first two until version 0.5, the last one since.
NO_DEVICES = {
    'wireplumber/main.lua.d/51-no-devices.lua': ''.join(
        f'{kind}_monitor.enabled = false\n' for kind in ('alsa', 'v4l2', 'libcamera')),
    'wireplumber/bluetooth.lua.d/51-no-devices.lua': 'bluez_monitor.enabled = false\n',
    'wireplumber/wireplumber.conf.d/no-devices.conf': 'wireplumber.profiles = { main = { %s } }\n' % ' '.join(
        f'hardware.{kind} = disabled' for kind in ('audio', 'bluetooth', 'video-capture')),
}


def missing(kind, *others):
    """Returns which of the programs that a server of this kind needs, and of others, are not installed."""
    return [program for program in (*PROGRAMS[kind], *CLIENTS, *others) if not shutil.which(program)]


class Daemons:
    """The processes of one server, which end with `close`."""

    def __init__(self, kind, folder, environment):
        self.folder, self.environment = folder, environment
        self.run = environment['XDG_RUNTIME_DIR']
        self.processes = []
        self.log = open(folder + '/server.log', 'wb')
        try:
            {'pulseaudio': self._pulseaudio, 'pipewire': self._pipewire}[kind]()
        except BaseException:
            self.close()
            raise

    def close(self):
        for process in reversed(self.processes):
            process.terminate()
            process.wait(10)
        self.log.close()

    def missed(self):
        """Returns which programs missed turns of PipeWire's graph, because the machine did not let them run in time."""
        with open(self.folder + '/server.log', errors='replace') as log:
            return re.findall(r'\(([^()]*)\) client missed \d+ wakeups', log.read())

    def start(self, *arguments):
        process = subprocess.Popen(
            arguments, env=self.environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.processes.append(process)

    def _pulseaudio(self):
        address = self.run + '/pulse.sock'
        self.environment['PULSE_SERVER'] = 'unix:' + address
        self.start(
            'pulseaudio', '-n', '--system=false', '--daemonize=no', '--use-pid-file=no', '--exit-idle-time=-1',
            '--realtime=no', '--high-priority=no', '--log-target=stderr',
            '-L', f'module-native-protocol-unix auth-anonymous=1 auth-cookie-enabled=0 socket={address}')
        until(lambda: connectable(address), 15, 'the private sound server')

    def _pipewire(self):
        for path, text in NO_DEVICES.items():
            path = os.path.join(self.environment['XDG_CONFIG_HOME'], path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w') as file:
                file.write(text)
        # WirePlumber ends without a session bus. Nothing here may reach the bus of the desktop, or the system's.
        bus, address = self.folder + '/sound.bus', self.run + '/pulse/native'
        clients = self.environment
        self.environment = {
            # It tells turns that a program of the graph missed.
            **clients, 'PIPEWIRE_DEBUG': '3', 'DBUS_SESSION_BUS_ADDRESS': 'unix:path=' + bus, 'DBUS_SYSTEM_BUS_ADDRESS': 'unix:path=' + bus}
        self.start('dbus-daemon', '--session', '--nofork', '--address=unix:path=' + bus)
        until(lambda: connectable(bus), 10, 'the bus of the private sound server')
        self.start('pipewire')
        until(lambda: connectable(self.run + '/pipewire-0'), 15, 'the private PipeWire')
        self.start('wireplumber')
        self.start('pipewire-pulse')
        until(lambda: connectable(address), 15, 'the private sound server')
        clients['PULSE_SERVER'] = 'unix:' + address
