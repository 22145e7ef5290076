// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Testing

/// Tests that run one after the other, because at most one engine may exist in a process at a time.
@Suite(.serialized) struct FFmpegEngineTests {
    static let library = Result { () throws(ProbeFailure) in try EngineLibrary(product: "FFmpegEngine") }

    static func probe(_ sources: [ProbeSource]) throws -> EngineProbe {
        try EngineProbe(library.get(), sources: sources)
    }
}
