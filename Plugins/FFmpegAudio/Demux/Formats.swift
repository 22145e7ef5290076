// SPDX-License-Identifier: Apache-2.0

extension Container {
    /// The protocols with which a nested reference could be opened, if anything could.
    static let protocols = "http,https,tcp,tls,httpproxy,crypto"

    /// The demuxers that may read foreign input.
    ///
    /// Play lists, slide shows, subtitles, devices and all that opens further files are excluded.
    static let formats = [
        "3dostr", "aa", "aac", "aax", "ac3", "act", "adx", "aea", "aiff", "alaw", "amr", "amrnb", "amrwb", "ape",
        "apc", "apm", "aptx", "aptx_hd", "asf", "asf_o", "ast", "au", "avi", "avr", "bfstm", "brstm", "caf", "codec2",
        "dfpwm", "dsf", "dsicin", "dts", "dtshd", "dv", "eac3", "epaf", "flac", "flv", "fsb", "g722", "g723_1", "g726",
        "g729", "gsm", "hca", "hcom", "iff", "ilbc", "ircam", "iss", "kvag", "live_flv", "loas", "matroska,webm",
        "matroska", "webm", "mlp", "mmf", "mov,mp4,m4a,3gp,3g2,mj2", "mov", "mp4", "m4a", "3gp", "3g2", "mj2", "mp3",
        "mpc", "mpc8", "mpeg", "mpegts", "msf", "mtaf", "mulaw", "musx", "nistsphere", "nsv", "nut", "ogg", "oma",
        "paf", "pvf", "qcp", "rm", "rso", "sbc", "sds", "shn", "siff", "sln", "smjpeg", "sol", "sox", "spdif", "swf",
        "tak", "truehd", "tta", "voc", "vqf", "w64", "wav", "wsd", "wtv", "wv", "wve", "xa", "xwma",
    ].joined(separator: ",")
}
