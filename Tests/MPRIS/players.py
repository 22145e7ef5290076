# SPDX-License-Identifier: Apache-2.0
"""How to start the players that are known here, without a window, with sound to PulseAudio and no settings of the user.

The program `rostrum` is the one that the variable ROSTRUM names, that of a release build, or the one on the path.
"""
import os
import pathlib

MPV_PLUGINS = ('/usr/lib/mpv-mpris/mpris.so', '/etc/mpv/scripts/mpris.so')
RELEASE = pathlib.Path(__file__).resolve().parents[2] / '.build' / 'release' / 'rostrum'


def known(name):
    """Returns the command that starts a player, None for an unknown one."""
    plugin = next((p for p in MPV_PLUGINS if os.path.exists(p)), MPV_PLUGINS[0])
    rostrum = os.environ.get('ROSTRUM') or (str(RELEASE) if RELEASE.exists() else 'rostrum')
    return {
        # VLC loads its D-Bus interface by itself; asked for it, it would load a second one beside it.
        'vlc': 'cvlc -q --no-video --aout=pulse {media}',
        'mpv': f'mpv --no-config --no-video --ao=pulse --really-quiet --idle=yes --script={plugin} {{media}} {{second}}',
        # The player that is attached ends with what it plays; what follows the log stays as long as the session.
        'rostrum': f'sh -c "{rostrum} play --detach {{media}} && exec {rostrum} log --follow"',
    }.get(name)
