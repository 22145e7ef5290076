// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The sources of Rostrum: Swift libraries have no stable binary interface on Linux, so an application builds them itself.
let rostrum = Context.environment["ROSTRUM_SOURCES"] ?? "../.."

let package = Package(
    name: "embedded-player",
    dependencies: [.package(name: "rostrum", path: rostrum)],
    targets: [
        .executableTarget(
            name: "EmbeddedPlayer",
            dependencies: [
                "MediaPlayback", "EngineBridge", "ItemResolver", "LibraryStore", "PulseOutput", "SoftwareOutputs",
                "TransitionLog",
            ].map { .product(name: $0, package: "rostrum") })
    ],
    swiftLanguageModes: [.v6]
)
