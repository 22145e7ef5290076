// SPDX-License-Identifier: Apache-2.0

import EngineBridge
import Glibc
import PlaybackCore
import Testing

/// The products that the build put beside the test bundle.
enum BuildProducts {
    /// The folder of this program; `ROSTRUM_PRODUCTS` names another one, to measure a release build.
    static let folder: String = {
        if let other = getenv("ROSTRUM_PRODUCTS") { return String(cString: other) }
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let whole = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return whole.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    }()

    /// `true` under the thread sanitizer.
    ///
    /// Swift modules cannot be opened then (the sanitizer's symbols are not all exported), and crashes look different.
    static let isSanitized = dlsym(nil, "__tsan_init") != nil

    static let runner = folder + "/rostrum-engine-runner"
    static let tone = folder + "/libToneEngine.so"

    static func tone(_ hosting: TestHosting) -> EngineLaunch {
        EngineLaunch(id: EngineID("tone"), module: tone, hosting: hosting.launch)
    }
}

/// Both ways to host an engine; every rule holds for both.
enum TestHosting: String, CaseIterable, CustomTestStringConvertible {
    case isolated
    case inProcess

    var launch: EngineLaunch.Hosting {
        switch self {
        case .isolated: .isolated(runner: BuildProducts.runner)
        case .inProcess: .inProcess
        }
    }

    var testDescription: String { rawValue }
}
