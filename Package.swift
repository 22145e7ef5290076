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
///
/// A sanitized program must show the sanitizer's symbols to the modules that it opens, also where it is linked with an engine.
let oneSymbol: [LinkerSetting] =
    Context.environment["ROSTRUM_SANITIZE"] == nil
    ? [
        .unsafeFlags([
            "-Xlinker", "--version-script=\(Context.packageDirectory)/Sources/Contract/engine.version",
        ])
    ] : []

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
        .executable(name: "rostrum-document-reader", targets: ["rostrum-document-reader"]),
        .executable(name: "rostrum-document-fetcher", targets: ["rostrum-document-fetcher"]),
        .executable(name: "rostrum-voices", targets: ["rostrum-voices"]),
        .executable(name: "rostrum-align", targets: ["rostrum-align"]),
        .library(name: "FFmpegEngine", type: .dynamic, targets: ["FFmpegEngine"]),
        .library(name: "ClipEngine", type: .dynamic, targets: ["ClipEngine"]),
        .library(name: "EspeakEngine", type: .dynamic, targets: ["EspeakEngine"]),
        .library(name: "SherpaEngine", type: .dynamic, targets: ["SherpaEngine"]),
        .library(name: "ToneEngine", type: .dynamic, targets: ["ToneEngine"]),
        // For applications that embed playback: the controller, and implementations of its ports to choose from.
        .library(
            name: "MediaPlayback",
            targets: ["MediaPlayback", "AudioSession", "PlaybackCore", "BookTimeline", "TransitionRecords"]),
        .library(name: "EngineBridge", targets: ["EngineBridge", "EngineCatalog"]),
        .library(name: "ItemResolver", targets: ["ItemResolver"]),
        .library(name: "LibraryStore", targets: ["LibraryStore"]),
        .library(name: "TransitionLog", targets: ["TransitionLog"]),
        .library(name: "SoftwareOutputs", targets: ["SoftwareOutputs"]),
        .library(name: "PulseOutput", targets: ["PulseOutput"]),
        .library(name: "ALSAOutput", targets: ["ALSAOutput"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-atomics", from: "1.3.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // Core: pure values.
        library("BookTimeline", in: "Core"),
        library("PassageMap", in: "Core"),
        library("TimelineGeometry", in: "Core"),
        library("PlaybackCore", in: "Core", ["BookTimeline"]),

        // Playback: the two owners of state, and the ports that they need.
        library("AudioSession", in: "Playback", ["CEBUR128", "CGNUSource", "Clocks", "CTempo", "TaskChains"]),
        library(
            "MediaPlayback", in: "Playback",
            [
                "AudioSession", "BlockingCalls", "BookTimeline", "CGNUSource", "Clocks", "JSON", "PassageMap",
                "PlaybackCore",
                "SpeechScript", "TaskChains", "TransitionRecords",
            ]),
        library("ListenerNotices", in: "Playback", ["PlaybackCore"]),
        library("TransitionRecords", in: "Playback", ["BookTimeline", "JSON", "PlaybackCore"]),

        // Contract: all that an engine author sees.
        .target(name: "EngineABI", path: "Sources/Contract/EngineABI"),
        library("EngineSDK", in: "Contract", ["EngineABI"]),

        // Engines: make a module on disk look like a PlaybackEngine.
        library("EngineTransport", in: "Engines", ["CGNUSource", "CTransport", atomics]),
        library("EngineConfinement", in: "Engines", ["CConfinement"]),
        library("SystemCallFilter", in: "Engines", ["CSeccomp", "EngineConfinement"]),
        library(
            "EngineCatalog", in: "Engines",
            ["CGNUSource", "CNettle", "EngineConfinement", "JSON", "MediaPlayback", "PlaybackCore"]),
        library("EngineLoader", in: "Engines", ["CLibltdl", "EngineABI", "EngineTransport"]),
        library(
            "EngineHost", in: "Engines",
            ["CGNUSource", "CTransport", "EngineABI", "EngineLoader", "EngineTransport", "SpeechScript", atomics]),
        library(
            "DocumentBridge", in: "Engines",
            [
                "BlockingCalls", "CGNUSource", "CTransport", "CacheFolders", "DocumentOrders", "EngineTransport",
                "MediaPlayback", "ReadingText", "SpeechScript", "TaskChains",
            ]),
        library(
            "EngineConformance", in: "Engines",
            ["CGNUSource", "Clocks", "CTransport", "EngineABI", "EngineLoader", "EngineTransport", atomics]),
        library(
            "EngineBridge", in: "Engines",
            [
                "AudioSession", "BlockingCalls", "BookTimeline", "CGNUSource", "Clocks", "CTransport", "EngineABI",
                "EngineCatalog", "EngineConfinement", "EngineHost", "EngineTransport", "MediaPlayback",
                "PlaybackCore", atomics,
            ]),

        // Outputs.
        library("SoftwareOutputs", in: "Outputs", ["AudioSession", "Clocks", "CSampleRate"]),
        library("PulseOutput", in: "Outputs", ["AudioSession", "CGNUSource", "Clocks", "CPulse"]),
        library("ALSAOutput", in: "Outputs", ["AudioSession", "BlockingCalls", "CALSA", "Clocks"]),

        // Documents.
        library("ReadingText", in: "Documents"),
        library("SpeechScript", in: "Documents", ["ReadingText"]),
        library("SpeechText", in: "Documents", ["CCLD2", "CICUBreaks", "ReadingText", "SpeechScript"]),
        library("TextDocuments", in: "Documents", ["CCmark", "CICU", "CPoppler", "ReadingText"]),
        library("MarkupDocuments", in: "Documents", ["CGumbo", "CLibArchive", "CLibXML2", "ReadingText"]),
        library("AlignmentFile", in: "Documents", ["CGNUSource", "Clocks"]),
        library("SpeechAlignment", in: "Documents", ["AlignmentFile", "CSpeechWarp"]),
        library("DocumentOrders", in: "Documents"),
        library(
            "DocumentReaders", in: "Documents",
            ["DocumentOrders", "MarkupDocuments", "ReadingText", "SpeechScript", "SpeechText", "TextDocuments"]),

        // Library.
        library("TransitionReplay", in: "Library", ["JSON", "PlaybackCore", "TransitionRecords"]),
        library(
            "LibraryStore", in: "Library",
            [
                "AudioSession", "BlockingCalls", "BookTimeline", "CGNUSource", "Clocks", "CNettle", "MediaPlayback",
                "PlaybackCore", grdb,
            ]),
        library(
            "ItemResolver", in: "Library",
            ["BlockingCalls", "BookTimeline", "CGNUSource", "CNettle", "MediaPlayback", "PlaybackCore"]),
        library("FolderWatch", in: "Library", ["CGNUSource"]),
        library("ReadingList", in: "Library", ["MediaPlayback"]),
        library("TrackIndexes", in: "Library", ["CacheFolders", "MediaPlayback", "PlaybackCore"]),
        library(
            "PairedWorks", in: "Library",
            [
                "AlignmentFile", "BlockingCalls", "BookTimeline", "CacheFolders", "MediaPlayback", "PassageMap",
                "PlaybackCore", "ReadingText", "SpeechScript", "TaskChains",
            ]),
        library("PiperVoices", in: "Library", ["JSON", "ONNXMetadata"]),
        library("PeakFiles", in: "Library", ["BookTimeline", "CacheFolders", "MediaPlayback", "PlaybackCore"]),
        library("SettingsFile", in: "Library", ["AudioSession", "JSON", "MediaPlayback", "PlaybackCore"]),
        library(
            "TransitionLog", in: "Library",
            ["Clocks", "JSON", "MediaPlayback", "PlaybackCore", "TransitionRecords"]),

        // Remotes.
        library("SessionProtocol", in: "Remotes", ["JSON"]),
        library("ControlSocket", in: "Remotes", ["CGNUSource", "Clocks", "CTransport", "SessionProtocol"]),
        library("TerminalPlayer", in: "Remotes", ["CGNUSource", "JSON", "SessionProtocol", "TimelineGeometry"]),
        library("MPRISRemote", in: "Remotes", ["CGNUSource", "CMPRIS", "CSystemd", "Clocks", "SessionProtocol"]),

        // Programs.
        .executableTarget(
            name: "rostrum",
            dependencies: [
                "CCurses", "CGNUSource", "Clocks", "CTransport", "JSON", "ProgramRuns", "SessionProtocol",
                "TerminalPlayer",
                "TransitionReplay", argumentParser,
            ],
            path: "Sources/Programs/rostrum", swiftSettings: strict, linkerSettings: staticRuntime),
        .executableTarget(
            name: "rostrumd",
            dependencies: [
                argumentParser,
                "ALSAOutput", "AlignmentFile", "AudioSession", "BlockingCalls", "BookTimeline", "CSystemd",
                "CTransport", "Clocks",
                "ControlSocket",
                "DocumentBridge", "DocumentOrders",
                "EngineBridge", "EngineCatalog",
                "EngineConfinement", "EngineConformance", "EngineTransport", "FolderWatch", "ItemResolver", "JSON",
                "LibraryStore", "ListenerNotices",
                "Logind", "MPRISRemote", "MediaPlayback", "PairedWorks", "PassageMap", "PeakFiles", "PlaybackCore",
                "PulseOutput",
                "ReadingList", "ReadingText", "SessionProtocol",
                "SettingsFile", "SoftwareOutputs", "SpeechScript", "TaskChains", "TrackIndexes", "TransitionLog",
                "TransitionRecords",
            ],
            path: "Sources/Programs/rostrumd", swiftSettings: strict, linkerSettings: staticFoundation),
        .executableTarget(
            name: "rostrum-engine-runner",
            dependencies: [
                "CTransport", "EngineConfinement", "EngineConformance", "EngineHost", "EngineTransport",
                "SystemCallFilter",
            ],
            path: "Sources/Programs/rostrum-engine-runner", swiftSettings: strict),
        .executableTarget(
            name: "rostrum-document-reader",
            dependencies: [
                "CTransport", "DocumentOrders", "DocumentReaders", "EngineConfinement", "EngineTransport",
                "SystemCallFilter",
            ],
            path: "Sources/Programs/rostrum-document-reader", swiftSettings: strict),
        .executableTarget(
            name: "rostrum-document-fetcher",
            dependencies: [
                "CCurl", "CTransport", "DocumentOrders", "EngineConfinement", "EngineTransport", "SessionProtocol",
                "SystemCallFilter",
            ],
            path: "Sources/Programs/rostrum-document-fetcher", swiftSettings: strict),
        .executableTarget(
            name: "rostrum-voices",
            dependencies: [
                "CCurl", "CLibArchive", "CNettle", "Clocks", "JSON", "PiperVoices", "ProgramRuns", "SessionProtocol",
                "SimilarNames", "SpeechText", argumentParser,
            ],
            path: "Sources/Programs/rostrum-voices", swiftSettings: strict, linkerSettings: staticFoundation),

        .executableTarget(
            name: "rostrum-align",
            dependencies: [
                "AlignmentFile", "AudioSession", "BlockingCalls", "BookTimeline", "CGNUSource", "CSampleRate",
                "CTransport", "DocumentBridge", "DocumentOrders", "EngineBridge", "EngineCatalog", "EngineTransport",
                "MediaPlayback", "PlaybackCore", "SessionProtocol", "SettingsFile", "SpeechAlignment", "SpeechScript",
                argumentParser,
            ],
            path: "Sources/Programs/rostrum-align", swiftSettings: strict, linkerSettings: staticFoundation),

        // System: what C libraries look like from Swift, and leaves that any layer may stand on.
        library("BlockingCalls", in: "System"),
        library("CacheFolders", in: "System"),
        library("HTTPExchange", in: "System"),
        library("Clocks", in: "System"),
        library("JSON", in: "System"),
        library("ONNXMetadata", in: "System"),
        library("ProgramRuns", in: "System"),
        library("SimilarNames", in: "System"),
        .target(name: "CSherpa", path: "Sources/System/CSherpa"),
        library("Logind", in: "System", ["BlockingCalls", "CSystemd"]),
        library("TaskChains", in: "System"),
        .target(name: "CTransport", path: "Sources/System/CTransport"),
        .target(name: "CGNUSource", path: "Sources/System/CGNUSource"),
        .target(name: "CPeaks", path: "Sources/System/CPeaks"),
        // Nearly all the time of an alignment passes here, so it is compiled for speed in a debug build, too.
        .target(
            name: "CSpeechWarp", path: "Sources/System/CSpeechWarp", cSettings: [.unsafeFlags(["-O3"])],
            linkerSettings: [.linkedLibrary("kissfft-float")]),
        .target(name: "CConfinement", path: "Sources/System/CConfinement"),
        .target(name: "CMPRIS", dependencies: ["CSystemd"], path: "Sources/System/CMPRIS"),
        .target(
            name: "CCurses", path: "Sources/System/CCurses",
            linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
        system("CSystemd", pkgConfig: "libsystemd", apt: "libsystemd-dev"),
        .target(name: "CTempo", path: "Sources/System/CTempo", linkerSettings: [.linkedLibrary("SoundTouch")]),
        .target(
            name: "CCurl", path: "Sources/System/CCurl",
            linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(name: "CGumbo", path: "Sources/System/CGumbo", linkerSettings: [.linkedLibrary("gumbo")]),
        .target(
            name: "CLibXML2", path: "Sources/System/CLibXML2",
            cSettings: [.unsafeFlags(["-I/usr/include/libxml2"])], linkerSettings: [.linkedLibrary("xml2")]),
        .target(name: "CPoppler", path: "Sources/System/CPoppler", linkerSettings: [.linkedLibrary("poppler-cpp")]),
        .target(name: "CCLD2", path: "Sources/System/CCLD2", linkerSettings: [.linkedLibrary("cld2")]),
        .target(
            name: "CICUBreaks", path: "Sources/System/CICUBreaks",
            linkerSettings: [.linkedLibrary("icuuc"), .linkedLibrary("icui18n")]),
        system("CICU", pkgConfig: "icu-i18n", apt: "libicu-dev"),
        system("CCmark", pkgConfig: "libcmark-gfm", apt: "libcmark-gfm-dev"),
        system("CLibArchive", pkgConfig: "libarchive", apt: "libarchive-dev"),
        system("CLibltdl", apt: "libltdl-dev"),
        system("CNettle", pkgConfig: "nettle", apt: "nettle-dev"),
        system("CSeccomp", pkgConfig: "libseccomp", apt: "libseccomp-dev"),
        system("CPulse", apt: "libpulse-dev"),
        system("CEBUR128", pkgConfig: "libebur128", apt: "libebur128-dev"),
        system("CSampleRate", pkgConfig: "samplerate", apt: "libsamplerate0-dev"),
        system("CALSA", pkgConfig: "alsa", apt: "libasound2-dev"),
        system("CFFmpeg", pkgConfig: "libavformat", apt: "libavformat-dev"),
        system("CGnuTLS", pkgConfig: "gnutls", apt: "libgnutls28-dev"),
        system("CEspeak", pkgConfig: "espeak-ng", apt: "libespeak-ng-dev"),
        system("CSonic", apt: "libsonic-dev"),

        // Plugins.
        .target(
            name: "SherpaSpeech", dependencies: ["CEspeak", "CSherpa", "EngineABI", "EngineSDK", "ONNXMetadata"],
            path: "Plugins/SherpaSpeech", swiftSettings: strict),
        .target(
            name: "FFmpegAudio", dependencies: ["EngineABI", "EngineSDK", "CFFmpeg", "CGnuTLS", "CPeaks", "Clocks"],
            path: "Plugins/FFmpegAudio", swiftSettings: strict),
        engine("FFmpegEngine", ["EngineABI", "EngineSDK", "FFmpegAudio"]),
        engine("ClipEngine", ["EngineABI", "EngineSDK", "FFmpegAudio"]),
        engine("SherpaEngine", ["EngineABI", "EngineSDK", "SherpaSpeech"]),
        engine("EspeakEngine", ["EngineABI", "EngineSDK", "CEspeak", "CSonic", "SimilarNames"]),
        engine("ToneEngine", ["EngineABI", "EngineSDK"]),

        // Tests.
        tests("BookTimelineTests", ["BookTimeline"]),
        tests(
            "PairedWorksTests",
            [
                "AlignmentFile", "BookTimeline", "FileTestSupport", "ItemResolver", "LibraryStore", "MediaPlayback",
                "PairedWorks",
                "PassageMap",
                "PlaybackCore", "ProcessTestSupport", "ReadingText", "SpeechScript",
            ]),
        tests("PassageMapTests", ["PassageMap", "RandomTestSupport"]),
        tests("TimelineGeometryTests", ["RandomTestSupport", "TimelineGeometry"]),
        tests("PlaybackCoreTests", ["BookTimeline", "PlaybackCore", "RandomTestSupport"]),
        tests(
            "MediaPlaybackTests",
            [
                "AudioSession", "AudioTestSupport", "BookTimeline", "Clocks", "FileTestSupport", "JSON",
                "MediaPlayback",
                "PassageMap", "PlaybackCore", "RandomTestSupport", "ReadingText", "SpeechScript", "TaskChains",
                "TransitionLog",
                "TransitionRecords",
                "TransitionReplay",
                "WaitTestSupport",
            ]),
        tests("MPRISRemoteTests", ["MPRISRemote", "ProcessTestSupport", "SessionProtocol", "WaitTestSupport"]),
        tests(
            "TerminalPlayerTests",
            ["CGNUSource", "FakeSession", "RandomTestSupport", "SessionProtocol", "TerminalPlayer", "TimelineGeometry"]),
        tests("SessionProtocolTests", ["FakeSession", "RandomTestSupport", "SessionProtocol"]),
        // Runs the built program: it needs no target of it.
        tests(
            "RostrumCommandTests",
            [
                "AlignmentFile", "BookTimeline", "CGNUSource", "ControlSocket", "FakeSession", "JSON", "ONNXMetadata",
                "PlaybackCore",
                "SessionProtocol", "TransitionRecords", "WaitTestSupport",
            ]),
        .target(
            name: "FakeSession", dependencies: ["ControlSocket", "SessionProtocol"], path: "Tests/FakeSession",
            swiftSettings: strict),
        tests(
            "ControlSocketTests",
            ["CGNUSource", "CTransport", "ControlSocket", "FakeSession", "SessionProtocol", "WaitTestSupport"]),
        .target(
            name: "EngineProbe", dependencies: ["EngineABI"], path: "Tests/Support/EngineProbe",
            swiftSettings: strict),
        tests("FFmpegEngineTests", ["CTransport", "EngineProbe", "EngineABI", "EngineSDK", "FFmpegAudio"]),
        tests(
            "SherpaEngineTests",
            ["EngineABI", "EngineProbe", "EngineSDK", "FileTestSupport", "ONNXMetadata", "SherpaSpeech"]),
        tests("PiperVoicesTests", ["FileTestSupport", "ONNXMetadata", "PiperVoices"]),
        tests("EspeakEngineTests", ["CEspeak", "EngineProbe", "EspeakEngine", "EngineABI", "EngineSDK"]),
        tests(
            "EngineTransportTests",
            ["CAllocationCount", "CTransport", "EngineTransport", "RandomTestSupport"]),
        tests("EngineABITests", [], resources: [.copy("Golden")]),
        tests(
            "EngineCatalogTests",
            ["EngineCatalog", "EngineConfinement", "MediaPlayback", "PlaybackCore", "ProcessTestSupport"]),
        tests("EngineLoaderTests", ["EngineLoader"]),
        // Runs the built `rostrum` and `rostrumd`, too: linked here, they would bring the static runtime.
        tests(
            "EngineConformanceTests",
            ["EngineConformance", "EngineTransport", "ProcessTestSupport", "SessionProtocol", "rostrum-engine-runner"]),
        tests(
            "EngineBridgeTests",
            [
                "AudioSession", "AudioTestSupport", "BookTimeline", "CTransport", "EngineBridge", "EngineCatalog",
                "EngineConfinement", "EngineTransport", "FileTestSupport", "MediaPlayback", "PlaybackCore",
                "ProcessTestSupport", "ReadingText", "SpeechScript", "TrackIndexes", "WaitTestSupport",
                "rostrum-engine-runner",
            ]),
        tests(
            "DocumentBridgeTests",
            [
                "DocumentBridge", "DocumentOrders", "FileTestSupport", "MediaPlayback", "ReadingText", "SpeechScript",
                "WaitTestSupport", "rostrum-document-fetcher", "rostrum-document-reader",
            ]),
        tests("SpeechScriptTests", ["ReadingText", "SpeechScript"]),
        tests("AlignmentFileTests", ["AlignmentFile", "FileTestSupport", "ProcessTestSupport"]),
        tests("SpeechAlignmentTests", ["AlignmentFile", "FileTestSupport", "RandomTestSupport", "SpeechAlignment"]),
        tests("ProgramRunsTests", ["ProgramRuns"]),
        tests("SimilarNamesTests", ["SimilarNames"]),
        tests("TaskChainsTests", ["TaskChains", "WaitTestSupport"]),
        tests("SpeechTextTests", ["ReadingText", "SpeechScript", "SpeechText"]),
        tests("TextDocumentsTests", ["CICU", "ReadingText", "TextDocuments"]),
        tests("FolderWatchTests", ["FileTestSupport", "FolderWatch", "RandomTestSupport", "WaitTestSupport"]),
        tests("ReadingListTests", ["FileTestSupport", "MediaPlayback", "ReadingList"]),
        tests("MarkupDocumentsTests", ["CLibArchive", "MarkupDocuments", "ReadingText"]),
        tests(
            "PeakFilesTests",
            [
                "AudioSession", "BookTimeline", "FileTestSupport", "MediaPlayback", "PeakFiles", "PlaybackCore",
                "RandomTestSupport", "WaitTestSupport",
            ]),
        // Compiles the session's own parts: linked here, rostrumd would bring the static runtime.
        tests(
            "SessionServiceTests",
            [
                "ALSAOutput", "AlignmentFile", "AudioSession", "AudioTestSupport", "BlockingCalls", "BookTimeline",
                "CTransport",
                "Clocks",
                "ControlSocket", "CSystemd", "EngineCatalog", "EngineConfinement", "FileTestSupport", "ItemResolver",
                "JSON", "LibraryStore", "ListenerNotices", "Logind", "MPRISRemote", "MediaPlayback", "PairedWorks",
                "PassageMap",
                "PeakFiles",
                "PlaybackCore", "PulseOutput", "RandomTestSupport", "ReadingList", "ReadingText", "SessionProtocol",
                "SettingsFile", "SoftwareOutputs", "SpeechScript", "TaskChains", "TrackIndexes", "TransitionLog",
                "TransitionRecords",
                "WaitTestSupport",
            ]),
        tests("TrackIndexesTests", ["FileTestSupport", "MediaPlayback", "PlaybackCore", "TrackIndexes"]),
        .target(
            name: "AudioTestSupport", dependencies: ["AudioSession", "CMutexAnnotations", "Clocks", "WaitTestSupport"],
            path: "Tests/Support/AudioTestSupport", swiftSettings: strict),
        .target(name: "WaitTestSupport", path: "Tests/Support/WaitTestSupport", swiftSettings: strict),
        tests("WaitTestSupportTests", ["WaitTestSupport"]),
        .target(name: "CMutexAnnotations", path: "Tests/Support/CMutexAnnotations"),
        .target(name: "CAllocationCount", path: "Tests/Support/CAllocationCount"),
        tests(
            "AudioSessionTests",
            [
                "AudioSession", "AudioTestSupport", "CAllocationCount", "CGNUSource", "CMutexAnnotations", "Clocks",
                "WaitTestSupport",
            ]),
        tests("SoftwareOutputsTests", ["AudioSession", "AudioTestSupport", "SoftwareOutputs"]),
        .target(name: "RandomTestSupport", path: "Tests/Support/RandomTestSupport", swiftSettings: strict),
        .target(name: "FileTestSupport", path: "Tests/Support/FileTestSupport", swiftSettings: strict),
        .target(name: "ProcessTestSupport", path: "Tests/Support/ProcessTestSupport", swiftSettings: strict),
        tests(
            "LibraryStoreTests",
            [
                "AudioSession", "BookTimeline", "Clocks", "FileTestSupport", "LibraryStore", "MediaPlayback",
                "PlaybackCore", "RandomTestSupport",
                grdb,
            ]),
        tests(
            "BookImportTests",
            [
                "AudioSession", "BookTimeline", "FileTestSupport", "ItemResolver", "LibraryStore", "MediaPlayback",
                "PlaybackCore",
            ]),
        tests("ListenerNoticesTests", ["BookTimeline", "ListenerNotices", "PlaybackCore"]),
        tests("ItemResolverTests", ["FileTestSupport", "ItemResolver", "MediaPlayback", "PlaybackCore"]),
        tests(
            "SettingsFileTests",
            ["AudioSession", "FileTestSupport", "JSON", "MediaPlayback", "PlaybackCore", "SettingsFile"]),
        tests(
            "TransitionLogTests",
            [
                "Clocks", "FileTestSupport", "JSON", "MediaPlayback", "PlaybackCore", "TransitionLog",
                "TransitionRecords",
            ]),
        tests(
            "PulseOutputTests",
            ["AudioSession", "AudioTestSupport", "Clocks", "PulseOutput", "RandomTestSupport", "WaitTestSupport"]),
        tests("ALSAOutputTests", ["ALSAOutput", "AudioSession", "AudioTestSupport"]),
        // It hosts an engine in its own process, which no program of ours does. Built with the tests, so that it stays whole.
        .executableTarget(
            name: "IsolationBenchmark",
            dependencies: [
                "AudioSession", "BookTimeline", "Clocks", "EngineBridge", "MediaPlayback", "PlaybackCore",
                "SoftwareOutputs",
            ],
            path: "Benchmarks/isolation", exclude: ["isolation.sh"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// `make fuzz` alone: their main function is libFuzzer's, which only `--sanitize fuzzer` links.
if Context.environment["ROSTRUM_FUZZ"] != nil {
    func fuzzer(_ name: String, of subjects: Target.Dependency...) -> Target {
        .executableTarget(
            name: name, dependencies: subjects, path: "Fuzz/\(name)",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
    }
    package.targets += [
        fuzzer("WireFuzz", of: "EngineTransport"),
        fuzzer("RingFuzz", of: "EngineTransport"),
        fuzzer("ManifestFuzz", of: "EngineCatalog"),
        .target(
            name: "DocumentChecks", dependencies: ["ReadingText"], path: "Fuzz/DocumentChecks", swiftSettings: strict),
        fuzzer("TextFuzz", of: "DocumentChecks", "ReadingText", "TextDocuments"),
        fuzzer("MarkupFuzz", of: "DocumentChecks", "MarkupDocuments", "ReadingText"),
        fuzzer("SpeechFuzz", of: "ReadingText", "SpeechScript", "SpeechText"),
        fuzzer("ScriptFuzz", of: "ReadingText", "SpeechScript"),
        fuzzer("OrderFuzz", of: "DocumentOrders"),
        fuzzer("VoiceFuzz", of: "ONNXMetadata", "PiperVoices"),
        fuzzer("ReadingListFuzz", of: "ReadingList"),
    ]
}

// `make tsan` and `make asan` alone: the engines, and what these tests need. The rest would be built for nothing.
if let tests = Context.environment["ROSTRUM_SANITIZED_TESTS"] {
    var waiting = tests.split(separator: "|").map(String.init)
    waiting += package.targets.filter { $0.path?.hasPrefix("Plugins/") == true }.map(\.name)
    var needed: Set<String> = []
    while let name = waiting.popLast() {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        for case .byNameItem(let other, _) in target.dependencies { waiting.append(other) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { product in
        let targets = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
        return !targets.allSatisfy(needed.contains)
    }
}
