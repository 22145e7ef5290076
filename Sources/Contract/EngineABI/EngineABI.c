/* SPDX-License-Identifier: Apache-2.0 */
/* The contract consists of headers only, but SwiftPM requires a source file in a target. */
#include "rostrum/engine.h"
