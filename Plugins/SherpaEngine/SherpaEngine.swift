// SPDX-License-Identifier: Apache-2.0

public import EngineABI
import EngineSDK
import SherpaSpeech

/// The entry symbol of the module.
@c(rostrum_engine_entry)
public func entry(major: UInt32, minor: UInt32) -> UnsafePointer<rostrum_engine_module>? {
    EngineModule.export(NeuralSpeech.self, hostMajor: major)
}
