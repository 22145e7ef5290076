// SPDX-License-Identifier: Apache-2.0

/// A kind of sink, by how long its device takes to wake.
enum SinkKind: Sendable, Hashable, CaseIterable {
    case bluetooth
    /// HDMI or DisplayPort.
    case display
    case usb
    case other

    /// The properties of a sink that tell its kind.
    struct Properties: Sendable {
        /// `device.bus`.
        var bus: String?
        /// `device.api`.
        var api: String?
        /// `device.profile.name`.
        var profile: String?
        /// The name of the active port.
        var port: String?
    }

    init(_ properties: Properties) {
        // Not every driver sets both.
        if properties.bus == "bluetooth" || properties.api?.hasPrefix("bluez") == true {
            self = .bluetooth
        } else if properties.profile?.hasPrefix("hdmi") == true || properties.port?.hasPrefix("hdmi") == true {
            self = .display
        } else if properties.bus == "usb" {
            self = .usb
        } else {
            self = .other
        }
    }

    /// The time for which a device of this kind swallows sound when it wakes, in milliseconds.
    ///
    /// The longest of what users measured (docs/decisions/0031-silence-wakes-a-sink.md).
    var wakeTime: Int {
        switch self {
        case .bluetooth: 1_000
        case .display: 1_500
        case .usb: 500
        case .other: 0
        }
    }
}
