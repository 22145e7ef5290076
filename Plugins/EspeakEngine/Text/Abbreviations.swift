// SPDX-License-Identifier: Apache-2.0

/// Abbreviations whose full stop does not end a sentence, whatever follows.
enum Abbreviations {
    /// Returns whether `word`, in lower case and without its last full stop, is an abbreviation.
    static func contains(_ word: String) -> Bool { all.contains(word) }

    private static let all: Set<String> = [
        // English
        "mr", "mrs", "ms", "dr", "prof", "st", "rev", "hon", "gen", "col", "capt", "lt", "sgt", "maj", "gov", "sen",
        "rep", "pres", "messrs", "mt", "ft", "vs", "cf", "viz", "vol", "vols", "fig", "figs", "ed", "eds", "pp", "ch",
        "approx", "dept", "est", "e.g", "i.e", "ph.d", "nos",
        // German
        "hr", "nr", "abs", "bd", "hrsg", "evtl", "ggf", "vgl", "sog", "geb", "gest", "ca", "bzw", "z.b", "d.h", "u.a",
        "z.t", "i.d.r", "s.o", "str",
        // French, Spanish, Italian, Portuguese
        "mm", "mme", "mlle", "mlles", "mgr", "av", "env", "p.ex", "sr", "sra", "srta", "ud", "uds", "pág", "núm",
        "sig", "dott", "ing",
        // Dutch and the Nordic languages
        "dhr", "mevr", "bijv", "o.a", "bl.a", "t.ex", "d.v.s", "f.eks", "kl",
        // Polish, Czech, Russian
        "np", "tzn", "tzv", "např", "т.е", "др", "стр", "им", "ул", "гг",
    ]
}
