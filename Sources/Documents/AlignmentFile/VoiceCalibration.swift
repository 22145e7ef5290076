// SPDX-License-Identifier: Apache-2.0

/// Knowledge about the voice that speaks the text, from the first minute of it.
///
/// It is kept with an alignment, so that one that is resumed goes on exactly as it began.
public struct VoiceCalibration: Sendable, Hashable {
    /// The cepstra of a frame.
    package static let cepstra = 9
    /// The frames that a book of typical frames has about.
    package static let bookSize = 500

    /// The mean of each cepstrum, and its deviation.
    package var means: [Float]
    package var deviations: [Float]
    /// Typical frames, normalised, in 32nds of a deviation.
    package var book: [Int8]

    package init(means: [Float], deviations: [Float], book: [Int8]) {
        (self.means, self.deviations, self.book) = (means, deviations, book)
    }

    /// `true` if the numbers can be used; a file may have any.
    package var isSound: Bool {
        means.count == Self.cepstra && deviations.count == Self.cepstra && means.allSatisfy(\.isFinite)
            && deviations.allSatisfy { $0.isFinite && $0 > 0 } && book.count % Self.cepstra == 0
            && book.count <= 4 * Self.bookSize * Self.cepstra
    }
}
