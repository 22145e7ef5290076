// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Settings of every Swift target: a warning is an error, and an import is private to its file
/// unless it says otherwise.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Programs that must start fast carry the Swift runtime inside; engines share the dynamic one with
/// the runner that hosts them.
/// (A static Foundation does not name the libraries that it is made of.)
let staticRuntime: [LinkerSetting] = [
    .unsafeFlags(["-static-stdlib"]),
    .linkedLibrary("_FoundationCollections"), .linkedLibrary("_FoundationCShims"),
    .linkedLibrary("swiftSynchronization"),
]
let staticFoundation: [LinkerSetting] =
    staticRuntime + [.linkedLibrary("CoreFoundation"), .linkedLibrary("_FoundationICU"), .linkedLibrary("stdc++")]

/// An engine module exports its entry symbol and nothing else.
let oneSymbol: [LinkerSetting] = [
    .unsafeFlags(["-Xlinker", "--version-script=\(Context.packageDirectory)/Plugins/engine.version"])
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let atomics = Target.Dependency.product(name: "Atomics", package: "swift-atomics")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")

/// A Swift target at `path`, which shows its layer.
func library(
    _ name: String, in layer: String, _ dependencies: [Target.Dependency] = []
) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(layer)/\(name)", swiftSettings: strict)
}

/// A module map and nothing else.
func system(_ name: String, pkgConfig: String? = nil, apt package: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// One engine: a module that is opened at run time, and a manifest beside it.
func engine(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Plugins/\(name)", exclude: ["manifest.json"],
        swiftSettings: strict, linkerSettings: oneSymbol)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)", resources: resources, swiftSettings: strict)
}

let package = Package(
    name: "rostrum",
    products: [
        .executable(name: "rostrum", targets: ["rostrum"]),
        .executable(name: "rostrumd", targets: ["rostrumd"]),
        .executable(name: "rostrum-engine-runner", targets: ["rostrum-engine-runner"]),
        .library(name: "FFmpegEngine", type: .dynamic, targets: ["FFmpegEngine"]),
        .library(name: "EspeakEngine", type: .dynamic, targets: ["EspeakEngine"]),
        .library(name: "ToneEngine", type: .dynamic, targets: ["ToneEngine"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-atomics", from: "1.3.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // Core: pure values.
        library("BookTimeline", in: "Core"),
        library("PlaybackCore", in: "Core", ["BookTimeline"]),

        // Playback: the two owners of state, and the ports that they need.
        library("AudioSession", in: "Playback", ["CTempo"]),
        library("MediaPlayback", in: "Playback", ["BookTimeline", "PlaybackCore", "AudioSession"]),

        // Contract: all that an engine author sees.
        .target(name: "EngineABI", path: "Sources/Contract/EngineABI"),
        library("EngineSDK", in: "Contract", ["EngineABI"]),

        // Engines: make a module on disk look like a PlaybackEngine.
        library("EngineTransport", in: "Engines", ["CTransport", atomics]),
        library("EngineLoader", in: "Engines", ["EngineABI", "CLibltdl"]),
        library("EngineHost", in: "Engines", ["EngineABI", "EngineLoader", "EngineTransport"]),
        library(
            "EngineBridge", in: "Engines",
            [
                "AudioSession", "EngineHost", "EngineLoader", "EngineTransport", "MediaPlayback", "PlaybackCore",
                "BookTimeline",
            ]),

        // Outputs.
        library("SoftwareOutputs", in: "Outputs", ["AudioSession"]),
        library("PulseOutput", in: "Outputs", ["AudioSession", "CPulse"]),
        library("ALSAOutput", in: "Outputs", ["AudioSession", "CALSA"]),

        // Library.
        library("LibraryStore", in: "Library", ["BookTimeline", "PlaybackCore", "MediaPlayback", grdb]),
        library("ItemResolver", in: "Library", ["BookTimeline", "PlaybackCore", "MediaPlayback"]),
        library("TransitionLog", in: "Library", ["PlaybackCore", "MediaPlayback"]),

        // Remotes.
        library("SessionProtocol", in: "Remotes", ["CTransport"]),
        library("ControlSocket", in: "Remotes", ["SessionProtocol", "MediaPlayback", "PlaybackCore", "BookTimeline"]),

        // Programs.
        .executableTarget(
            name: "rostrum", dependencies: ["SessionProtocol", argumentParser],
            path: "Sources/Programs/rostrum", swiftSettings: strict, linkerSettings: staticRuntime),
        .executableTarget(
            name: "rostrumd",
            dependencies: [
                "ALSAOutput", "AudioSession", "BookTimeline", "ControlSocket", "EngineBridge", "EngineLoader",
                "ItemResolver",
                "LibraryStore", "MediaPlayback", "PlaybackCore", "PulseOutput", "SessionProtocol",
                "SoftwareOutputs", "TransitionLog",
            ],
            path: "Sources/Programs/rostrumd", swiftSettings: strict, linkerSettings: staticFoundation),
        .executableTarget(
            name: "rostrum-engine-runner", dependencies: ["EngineHost", "EngineLoader", "EngineTransport"],
            path: "Sources/Programs/rostrum-engine-runner", swiftSettings: strict),

        // System: what C libraries look like from Swift.
        .target(name: "CTransport", path: "Sources/System/CTransport"),
        .target(name: "CTempo", path: "Sources/System/CTempo"),
        system("CLibltdl", apt: "libltdl-dev"),
        system("CPulse", apt: "libpulse-dev"),
        system("CALSA", pkgConfig: "alsa", apt: "libasound2-dev"),
        system("CFFmpeg", pkgConfig: "libavformat", apt: "libavformat-dev"),
        system("CEspeak", pkgConfig: "espeak-ng", apt: "libespeak-ng-dev"),

        // Plugins.
        engine("FFmpegEngine", ["EngineABI", "EngineSDK", "CFFmpeg"]),
        engine("EspeakEngine", ["EngineABI", "EngineSDK", "CEspeak"]),
        engine("ToneEngine", ["EngineABI", "EngineSDK"]),

        // Tests.
        .target(
            name: "EngineProbe", dependencies: ["EngineABI"], path: "Tests/Support/EngineProbe",
            swiftSettings: strict),
        tests("EspeakEngineTests", ["EngineProbe", "EspeakEngine", "EngineABI", "EngineSDK"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
