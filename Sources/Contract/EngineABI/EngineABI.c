/* SPDX-License-Identifier: Apache-2.0 */
/* The contract is headers only; SwiftPM wants a source. */
#include "rostrum/engine.h"
