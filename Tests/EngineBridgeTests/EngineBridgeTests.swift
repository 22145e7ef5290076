// SPDX-License-Identifier: Apache-2.0

import Testing

/// All tests that start engines, one at a time, because some of them count and kill the children of this process.
@Suite(.serialized)
enum EngineBridgeTests {}
