// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The settings of the package that engine authors depend on: this folder, which `make install` copies to
/// `share/rostrum/sdk`.
///
/// Rostrum's own package declares these targets itself.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "rostrum-engine-sdk",
    products: [.library(name: "EngineSDK", targets: ["EngineSDK", "EngineABI"])],
    targets: [
        .target(name: "EngineABI", path: "EngineABI"),
        .target(name: "EngineSDK", dependencies: ["EngineABI"], path: "EngineSDK", swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
