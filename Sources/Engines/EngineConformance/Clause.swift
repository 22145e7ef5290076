// SPDX-License-Identifier: Apache-2.0

/// A sentence of the contract, word for word, which a case proves and a finding quotes.
///
/// A test checks that each clause is in its header.
package enum Clause: String, CaseIterable, Sendable {
    // The module.
    case oneSymbol = "A module exports exactly one symbol, rostrum_engine_entry."
    case minorVersions = "An engine built against 1.x loads in any 1.y host."
    case majorVersions = "NULL if the module cannot work with a host of this version."
    case loader = "before any engine exists; must be quick, must not start threads"
    case module = "as in the manifest: lower case letters, digits, '-'; at most 32"
    case functions = "The functions of an engine. None may be NULL."
    case strings = "STRINGS are UTF-8 and end in NUL."
    case process = """
        An engine must not write to stdout, call exit, or change the locale, the working directory or signal handlers.
        """
    case failureRanges = "Zero is success; below zero is failure."

    // The life of an engine.
    case create = "It must be cheap: no content is known yet."
    case destroy = "Frees everything, even if content is loaded."
    case load = "Opens the content and goes to its start position, so that the first block comes from there."
    case replace = "If content is loaded, the engine drops it first."
    case loadFailure = "On failure nothing is loaded, and error_message says why in one line."
    case state = "called in a state that does not allow it"
    case message = "Returns one line about the last failure: what failed, and on what. Never NULL."
    case sourceOwner = "The engine owns it from now on, and closes it."

    // The loaded content.
    case sizes = """
        Structs grow at their end only and begin with `size`, the size in bytes of the struct as the side that \
        allocates it knows it; the other side uses only members that lie within `size`.
        """
    case trackCount = "the same number that was loaded"
    case chapterOrder = "Chapters are in order of track and start."
    case chapterSpan = "units; the chapter is [start, end)"
    case unknown = "An unknown number is ROSTRUM_UNKNOWN, never 0."
    case confidence = "Zero is not a valid value: a zeroed struct states nothing."
    case exactDuration = "counted; the last frame ends there"
    case sampleRate = "the sample rate of the blocks, in frames per second; 1000 to 384000"
    case channels = "1 to 8; order as in WAVE_FORMAT_EXTENSIBLE"
    case unitsPerSecond = "sample_rate for audio; the average reading speed for text"
    case encoding = "The encoding that the content has at its source."

    // Blocks.
    case blocks = "blocks of PCM that carry their position"
    case units = """
        For audio a unit is one frame at the track's sample rate, after encoder delay and padding have been \
        trimmed.
        """
    case textUnits = "For text a unit is one byte of the UTF-8 document as the host handed it over."
    case capacity = "interleaved, room for `capacity` floats"
    case hostMembers = "The host sets the members up to and including `capacity`; the engine sets the rest."
    case blockFormat = """
        of this block; may differ from that of the previous block only where the track changes, or where the \
        codec changes within a file
        """
    case position = "units, of the first frame"
    case positionEnd = "units, just after the last frame; for audio, `position` + `frames`"
    case render = "Returns when it has some frames, or the end; it need not fill the block."
    case pace = "Renders faster than real time."
    case growing = "Between seeks, positions within a track only increase."
    case end = "nothing comes after this block (which may have no frames)"
    case trackEnd = "the last block of its track"
    case damaged = "something before it could not be decoded and was left out"
    case tracksInOrder = "one or more tracks, played one after the other without a gap"

    // Seeking and interrupting.
    case seek = "The next block begins at exactly this unit (audio), or at the word that contains it (text)."
    case seekBeyond = "A position beyond the end of the track means its end."
    case interrupt = "Makes a call that is waiting (for a server, say) return soon with ROSTRUM_ERROR_INTERRUPTED."
    case interruptOnly = "It must have no other effect."

    // The functions of the host.
    case openSource = "[engine-thread & created; within load or a call while loaded]"
    case notFound = "a 404, or a track index for which the host has no source"
    case pipe = "It may be unseekable (a pipe)."
    case mark = "Comes before the block in which it is heard."
    case markSpan = "Says that a word or sentence of the text begins at `position` and is `length` units long."
    case log = "One line, without a newline and without secrets."

    // Extensions.
    case extensions = "Returns an extension of this engine by ID, or NULL."
    case rateRange = "the rates that the engine can produce itself; the session makes up the difference"
    case rate = "Blocks rendered from now on have this rate: 2.0 is twice as fast."
    case voiceName = "as rostrum_content.voice takes it"
    case voice = "no such voice or language"
    case measure = "returns its duration in units, with ROSTRUM_CONFIDENCE_EXACT"
    case measureAside = "Afterwards rendering continues where it was."
    case cover = """
        Returns the picture in a track that best represents the whole item, as its file holds it: 1 to \
        ROSTRUM_COVER_LIMIT bytes.
        """
    case coverType = "\"image/\" and a name, such as \"image/jpeg\"; at most 64 bytes of printable ASCII."
    case coverAgain = "Returns the same picture each time"
    case coverAside = "May open the track, and obeys `interrupt`. Afterwards rendering continues where it was."
    case peaks = """
        Peak n covers what is heard in the units [n * f, (n + 1) * f), where f is `frames_per_peak`, \
        ROSTRUM_PEAKS_LEAST_FRAMES to ROSTRUM_PEAKS_MOST_FRAMES.
        """
    case peakCount = """
        Fills all of `capacity`, 1 or more, unless the track ends first: fewer peaks mean that the last of them is \
        the last of the track, and 0 that it has no peak `first`.
        """
    case peaksAside = """
        Obeys `interrupt`; the host then asks again for the same peaks. Afterwards rendering continues where it was.
        """
    case cut = """
        A file that keeps the rate of its source decodes to exactly the frames of the passage. Copied audio is the \
        same as what the engine renders of the source.
        """
    case cutRefused = """
        Returns ROSTRUM_ERROR_ARGUMENT for a passage that is empty or lies outside of the content, \
        ROSTRUM_ERROR_UNSUPPORTED for a format that it cannot write, ROSTRUM_ERROR_IO if the file cannot be written.
        """
    case cutFile = "The engine closes neither descriptor and writes to no other file."
    case cutExtension = """
        for the name of the file, such as "m4a": 1 to 7 lower case letters and digits, and NUL
        """
    case cutAside = """
        May open tracks, takes as long as encoding takes, and obeys `interrupt`. Afterwards rendering continues where \
        it was.
        """
    case range = """
        From the next seek on, nothing outside [start, end) is rendered. `start` and `end` are in units of \
        their own tracks.
        """
    case rangeEnd = "The last block of the range carries ROSTRUM_BLOCK_END."
    case rangeLoop = "after `end` the next block begins at `start` again, without a gap"
    case rangeForgotten = "A load removes the range."

    package var sentence: String { rawValue }

    /// The header that contains the sentence, relative to `rostrum/`.
    package var header: String {
        switch self {
        case .rateRange, .rate: "rate.h"
        case .voiceName: "voices.h"
        case .measure, .measureAside: "measure.h"
        case .cover, .coverType, .coverAgain, .coverAside: "cover.h"
        case .peaks, .peakCount, .peaksAside: "peaks.h"
        case .cut, .cutRefused, .cutFile, .cutExtension, .cutAside: "cut.h"
        case .range, .rangeEnd, .rangeLoop, .rangeForgotten: "range.h"
        default: "engine.h"
        }
    }
}
