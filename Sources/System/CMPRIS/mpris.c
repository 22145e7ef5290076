// SPDX-License-Identifier: Apache-2.0

#include "CMPRIS.h"

static int read_property(
    sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply, void *userdata,
    sd_bus_error *error
) {
    rostrum_mpris_functions *functions = userdata;
    (void)bus;
    (void)path;
    return functions->read(functions->context, interface, property, reply, error);
}

static int write_property(
    sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *value, void *userdata,
    sd_bus_error *error
) {
    rostrum_mpris_functions *functions = userdata;
    (void)bus;
    (void)path;
    return functions->write(functions->context, interface, property, value, error);
}

static int take_call(sd_bus_message *call, void *userdata, sd_bus_error *error) {
    rostrum_mpris_functions *functions = userdata;
    return functions->call(functions->context, call, error);
}

#define ACTION(name) SD_BUS_METHOD(name, NULL, NULL, take_call, SD_BUS_VTABLE_UNPRIVILEGED)
#define METHOD(name, arguments, names)                                                                                \
    SD_BUS_METHOD_WITH_NAMES(name, arguments, names, NULL, , take_call, SD_BUS_VTABLE_UNPRIVILEGED)
#define PROPERTY(name, type, flags) SD_BUS_PROPERTY(name, type, read_property, 0, flags)
#define WRITABLE(name, type, flags)                                                                                   \
    SD_BUS_WRITABLE_PROPERTY(name, type, read_property, write_property, 0, flags | SD_BUS_VTABLE_UNPRIVILEGED)
#define CHANGES SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE

static const sd_bus_vtable root_table[] = {
    SD_BUS_VTABLE_START(0),
    ACTION("Raise"),
    ACTION("Quit"),
    PROPERTY("CanQuit", "b", CHANGES),
    PROPERTY("CanRaise", "b", CHANGES),
    PROPERTY("HasTrackList", "b", CHANGES),
    PROPERTY("Identity", "s", CHANGES),
    PROPERTY("DesktopEntry", "s", CHANGES),
    PROPERTY("SupportedUriSchemes", "as", CHANGES),
    PROPERTY("SupportedMimeTypes", "as", CHANGES),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable player_table[] = {
    SD_BUS_VTABLE_START(0),
    ACTION("Next"),
    ACTION("Previous"),
    ACTION("Pause"),
    ACTION("PlayPause"),
    ACTION("Stop"),
    ACTION("Play"),
    METHOD("Seek", "x", SD_BUS_PARAM(Offset)),
    METHOD("SetPosition", "ox", SD_BUS_PARAM(TrackId) SD_BUS_PARAM(Position)),
    METHOD("OpenUri", "s", SD_BUS_PARAM(Uri)),
    SD_BUS_SIGNAL_WITH_NAMES("Seeked", "x", SD_BUS_PARAM(Position), 0),
    PROPERTY("PlaybackStatus", "s", CHANGES),
    WRITABLE("Rate", "d", CHANGES),
    PROPERTY("Metadata", "a{sv}", CHANGES),
    WRITABLE("Volume", "d", CHANGES),
    PROPERTY("Position", "x", 0),
    PROPERTY("MinimumRate", "d", CHANGES),
    PROPERTY("MaximumRate", "d", CHANGES),
    PROPERTY("CanGoNext", "b", CHANGES),
    PROPERTY("CanGoPrevious", "b", CHANGES),
    PROPERTY("CanPlay", "b", CHANGES),
    PROPERTY("CanPause", "b", CHANGES),
    PROPERTY("CanSeek", "b", CHANGES),
    PROPERTY("CanControl", "b", 0),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable track_list_table[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD_WITH_NAMES(
        "GetTracksMetadata", "ao", SD_BUS_PARAM(TrackIds), "aa{sv}", SD_BUS_PARAM(Metadata), take_call,
        SD_BUS_VTABLE_UNPRIVILEGED),
    METHOD("AddTrack", "sob", SD_BUS_PARAM(Uri) SD_BUS_PARAM(AfterTrack) SD_BUS_PARAM(SetAsCurrent)),
    METHOD("RemoveTrack", "o", SD_BUS_PARAM(TrackId)),
    METHOD("GoTo", "o", SD_BUS_PARAM(TrackId)),
    SD_BUS_SIGNAL_WITH_NAMES("TrackListReplaced", "aoo", SD_BUS_PARAM(Tracks) SD_BUS_PARAM(CurrentTrack), 0),
    SD_BUS_SIGNAL_WITH_NAMES("TrackAdded", "a{sv}o", SD_BUS_PARAM(Metadata) SD_BUS_PARAM(AfterTrack), 0),
    SD_BUS_SIGNAL_WITH_NAMES("TrackRemoved", "o", SD_BUS_PARAM(TrackId), 0),
    SD_BUS_SIGNAL_WITH_NAMES("TrackMetadataChanged", "oa{sv}", SD_BUS_PARAM(TrackId) SD_BUS_PARAM(Metadata), 0),
    PROPERTY("Tracks", "ao", SD_BUS_VTABLE_PROPERTY_EMITS_INVALIDATION),
    PROPERTY("CanEditTracks", "b", CHANGES),
    SD_BUS_VTABLE_END,
};

int rostrum_mpris_add(sd_bus *bus, rostrum_mpris_functions *functions) {
    const char *path = ROSTRUM_MPRIS_PATH;
    int result = sd_bus_add_object_vtable(bus, NULL, path, "org.mpris.MediaPlayer2", root_table, functions);
    if (result < 0) return result;
    result = sd_bus_add_object_vtable(bus, NULL, path, "org.mpris.MediaPlayer2.Player", player_table, functions);
    if (result < 0) return result;
    return sd_bus_add_object_vtable(bus, NULL, path, "org.mpris.MediaPlayer2.TrackList", track_list_table, functions);
}
