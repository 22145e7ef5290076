// SPDX-License-Identifier: Apache-2.0

import EngineConfinement
import FoundationEssentials
public import PlaybackCore

/// The content of an engine's `manifest.json`, checked but not trusted: what the code does is up to the code when it is
/// loaded.
public struct Manifest: Sendable, Hashable {
    public var id: String
    public var name: String
    public var version: String
    public var vendor: String
    /// The licence, as an SPDX expression.
    public var license: String
    public var abi: String
    /// The file to load from the engine's folder: a module, or a libtool archive that names one.
    public var module: String
    public var kinds: [ContentKind]
    /// The file name extensions, in lower case, without the dot.
    public var extensions: [String]
    public var schemes: [String]
    public var isInProcess: Bool
    /// The requested permissions: `network`, `writes`.
    ///
    /// Others are unknown, and never granted.
    public var permissions: [String]
    /// The maximum memory of the engine's process, in MiB.
    public var memory: Int

    /// The reason why a manifest is invalid, in one line.
    public struct Fault: Error, Sendable, Hashable {
        public var reason: String
        init(_ reason: String) { self.reason = reason }
    }

    /// The maximum size of a manifest, in bytes.
    static let limit = 64 << 10

    private struct Fields: Decodable {
        var schema: Int
        var id: String
        var name: String
        var version: String
        var vendor: String
        var license: String
        var abi: String
        var module: String
        var kinds: [String]
        var extensions: [String]?
        var schemes: [String]?
        var hosting: String?
        var permissions: [String]?
        var memory: Int?
    }

    public init(json: [UInt8]) throws(Fault) {
        let fields: Fields
        do {
            fields = try JSONDecoder().decode(Fields.self, from: Data(json))
        } catch {
            throw Fault("manifest.json: \(Self.describe(error))")
        }
        guard fields.schema == 1 else { throw Fault("manifest.json: schema \(fields.schema), this program knows 1") }
        guard Self.isID(fields.id) else {
            throw Fault("manifest.json: an ID has at most 32 lower case letters, digits and '-'")
        }
        let lists = [fields.kinds, fields.extensions ?? [], fields.schemes ?? [], fields.permissions ?? []]
        let strings = [fields.name, fields.version, fields.vendor, fields.license, fields.abi, fields.module]
        guard lists.allSatisfy({ $0.count <= 256 }), (strings + lists.joined()).allSatisfy(Self.isLine) else {
            throw Fault("manifest.json: a field is too long, or has more than one line")
        }
        kinds = fields.kinds.compactMap(ContentKind.init(rawValue:))
        guard !kinds.isEmpty else { throw Fault("manifest.json: no kind of content is known") }
        switch fields.hosting ?? "isolated" {
        case "isolated": isInProcess = false
        case "inProcess": isInProcess = true
        case let other: throw Fault("manifest.json: unknown hosting '\(other)'")
        }
        memory = fields.memory ?? Confinement.defaultMemory
        let range = Confinement.memoryRange
        guard range.contains(memory) else {
            throw Fault(
                "manifest.json: memory is \(memory) MiB; an engine may have \(range.lowerBound) to \(range.upperBound)")
        }
        id = fields.id
        name = fields.name
        version = fields.version
        vendor = fields.vendor
        license = fields.license
        abi = fields.abi
        module = fields.module
        extensions = (fields.extensions ?? []).map { $0.lowercased() }
        schemes = (fields.schemes ?? []).map { $0.lowercased() }
        permissions = fields.permissions ?? []
    }

    static func isID(_ string: String) -> Bool {
        (1...32).contains(string.utf8.count)
            && string.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }

    private static func isLine(_ string: String) -> Bool {
        string.utf8.count <= 256 && !string.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// `true` if the licence extends to code that the module is linked with, so that it must not share a process with
    /// code under other licences.
    public var isCopyleft: Bool { License.isCopyleft(license) }

    /// The major version of the contract, or `nil` if `abi` is not a version.
    public var abiMajor: Int? {
        let parts = abi.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, Int(parts[1]) != nil else { return nil }
        return Int(parts[0])
    }

    private static func describe(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "not JSON" }
        switch error {
        case .keyNotFound(let key, _): return "lacks '\(key.stringValue)'"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' is of the wrong type"
        default: return "not JSON"
        }
    }
}
