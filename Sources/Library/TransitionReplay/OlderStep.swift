// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import JSON
import PlaybackCore
import TransitionRecords

/// An event of schema 1 or 2 with its decisions, in which a failure had an exit code.
struct OlderStep: Decodable {
    private var input: JSONValue?
    private var output: JSONValue?

    /// Returns the values in their present form.
    func step(_ decoder: JSONDecoder) throws -> Step {
        var step = Step()
        let coder = JSONEncoder()
        if let input { step.input = try decoder.decode(PlaybackEvent.self, from: coder.encode(input.withKinds)) }
        if let output { step.output = try decoder.decode([PlaybackEffect].self, from: coder.encode(output.withKinds)) }
        return step
    }
}

extension JSONValue {
    /// The value with the kind of each failure in place of its exit code.
    var withKinds: JSONValue {
        switch self {
        case .array(let values): return .array(values.map(\.withKinds))
        case .object(let object):
            if object.members.count == 2, let message = object["message"], case .int(let code)? = object["code"] {
                let kind = PlaybackError.Kind(exitCode: Int32(clamping: code))
                return .object(["kind": .string(kind.rawValue), "message": message])
            }
            var converted = JSONObject()
            for member in object.members { converted[member.name] = member.value.withKinds }
            return .object(converted)
        case .null, .bool, .int, .double, .string: return self
        }
    }
}
