// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Glibc
import Testing

extension FFmpegEngineTests {
    /// Tests of a passage as a still video, for places that take only that.
    @Suite struct StillVideoTests {
        private static let (width, height) = (1280, 720)

        /// A color of three bytes.
        private struct Color {
            var red: Int
            var green: Int
            var blue: Int

            func isNear(_ red: Int, _ green: Int, _ blue: Int) -> Bool {
                abs(self.red - red) < 24 && abs(self.green - green) < 24 && abs(self.blue - blue) < 24
            }
        }

        private static func color(_ image: [UInt8], _ column: Int, _ row: Int) -> Color {
            let place = (row * width + column) * 3
            return Color(red: Int(image[place]), green: Int(image[place + 1]), blue: Int(image[place + 2]))
        }

        @Test(arguments: [false, true])
        func `a still video has the sound to the frame, the waveform, and the cover if there is one`(
            _ hasCover: Bool
        ) throws {
            let cover = hasCover ? open(try Fixtures.path("front.png"), O_RDONLY | O_CLOEXEC) : -1
            defer { close(cover) }
            let (file, cut) = try CutTests.cut(
                ["wav16.wav"], (0, 2_000), (0, 100_201), format: "mp4", tags: [("title", "Sweep")], cover: cover)
            #expect(
                cut == ProbeCut(isEncoded: true, frames: 98_201, sampleRate: 44_100, fileExtension: "mp4"))
            #expect(try file.rendered().frames == 98_201)
            let streams = String(
                decoding: try CutFile.output(
                    of: "ffprobe -v error -count_frames -select_streams v -show_entries"
                        + " stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames -of csv=p=0 \(file.path)"
                ),
                as: UTF8.self)
            // 98 201 frames at 44.1 kHz are 2.23 s.
            #expect(streams.contains("h264,1280,720,yuv420p,5/1,12"), "\(streams)")
            let image = try CutFile.output(
                of: "ffmpeg -nostdin -v error -i \(file.path) -frames:v 1 -f rawvideo -pix_fmt rgb24 -")
            try #require(image.count == Self.width * Self.height * 3)
            #expect(Self.color(image, 8, 8).isNear(24, 24, 30))
            let middle = hasCover ? 620 : 360
            // Every column is as loud as the others, and the gaps between them are not.
            #expect((0..<300).count { Self.color(image, 31 + $0 * 4, middle).green > 100 } > 290)
            #expect(Self.color(image, 640, middle - 90).isNear(24, 24, 30) == true)
            #expect(Self.color(image, 640, 200).isNear(254, 0, 0) == hasCover)
        }
    }
}
