// SPDX-License-Identifier: Apache-2.0

#ifndef ROSTRUM_CMPRIS_H
#define ROSTRUM_CMPRIS_H

#include <systemd/sd-bus.h>

/* The object of the MPRIS D-Bus Interface Specification 2.2, described to sd-bus.
 *
 * sd-bus makes its tables with macros that Swift cannot use, so they stand here. It answers introspection, checks the
 * signatures of calls, and refuses unknown names; what is left reaches the functions below, on the thread that calls
 * sd_bus_process. */

/* The path at which every player has its object. */
#define ROSTRUM_MPRIS_PATH "/org/mpris/MediaPlayer2"

/* Each function returns 0 or more, or sets `error` and returns a negative errno. */
typedef struct rostrum_mpris_functions {
    /* Appends the value of a property to `reply`. */
    int (*read)(void *context, const char *interface, const char *property, sd_bus_message *reply,
                sd_bus_error *error);
    /* Takes a new value of a property from `value`, which came in `sd_bus_get_current_message`. */
    int (*write)(void *context, const char *interface, const char *property, sd_bus_message *value,
                 sd_bus_error *error);
    /* Takes a method call. A return value above 0 promises a reply, now or later. */
    int (*call)(void *context, sd_bus_message *call, sd_bus_error *error);
    void *context;
} rostrum_mpris_functions;

/* Adds the three interfaces to a connection. `functions` must live as long as the connection.
 *
 * Returns 0 or more, or a negative errno. */
int rostrum_mpris_add(sd_bus *bus, rostrum_mpris_functions *functions);

#endif
