// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The Swift face of the engine contract: a folder of the installed Rostrum, or another with `ROSTRUM_SDK`.
let sdk = Context.environment["ROSTRUM_SDK"] ?? "/usr/local/share/rostrum/sdk"

let package = Package(
    name: "swift-morse",
    products: [.library(name: "SwiftMorseEngine", type: .dynamic, targets: ["SwiftMorseEngine"])],
    dependencies: [.package(name: "rostrum-engine-sdk", path: sdk)],
    targets: [
        .target(
            name: "SwiftMorseEngine",
            dependencies: [.product(name: "EngineSDK", package: "rostrum-engine-sdk")],
            linkerSettings: [
                // The entry is the one symbol that others see; and the module brings its own Swift runtime, so that it does
                // not matter which Swift the session was built with.
                .unsafeFlags(["-Xlinker", "--version-script=\(sdk)/engine.version", "-static-stdlib"])
            ])
    ],
    swiftLanguageModes: [.v6]
)
