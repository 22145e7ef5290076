// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PulseOutput

@Suite struct SinkKindTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var properties: SinkKind.Properties
        var kind: SinkKind

        init(
            _ name: String, _ kind: SinkKind, bus: String? = nil, api: String? = nil, profile: String? = nil,
            port: String? = nil
        ) {
            testDescription = name
            properties = SinkKind.Properties(bus: bus, api: api, profile: profile, port: port)
            self.kind = kind
        }
    }

    @Test(arguments: [
        Row("Bluetooth of PulseAudio", .bluetooth, bus: "bluetooth", api: "bluez", port: "headset-output"),
        Row("Bluetooth of PipeWire", .bluetooth, api: "bluez5", profile: "a2dp-sink"),
        Row("a display by its profile", .display, bus: "pci", api: "alsa", profile: "hdmi-stereo-extra1"),
        Row("a display by its port", .display, bus: "pci", api: "alsa", profile: "pro-audio", port: "hdmi-output-0"),
        Row("a display at a USB dock", .display, bus: "usb", api: "alsa", profile: "hdmi-stereo"),
        Row("a USB card", .usb, bus: "usb", api: "alsa", profile: "analog-stereo", port: "analog-output"),
        Row(
            "a built-in card", .other, bus: "pci", api: "alsa", profile: "analog-stereo", port: "analog-output-speaker"),
        Row("a null sink", .other),
    ])
    func `a sink's properties tell its kind`(_ row: Row) {
        #expect(SinkKind(row.properties) == row.kind)
    }

    @Test func `only devices that are slow to wake get silence`() {
        #expect(SinkKind.allCases.map(\.wakeTime) == [1_000, 1_500, 500, 0])
    }
}
