// SPDX-License-Identifier: Apache-2.0

import Testing

/// All that starts engines: one at a time, since some tests count and kill the children of this process.
@Suite(.serialized)
enum EngineBridgeTests {}
