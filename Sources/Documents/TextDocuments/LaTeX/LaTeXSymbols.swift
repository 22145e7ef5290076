// SPDX-License-Identifier: Apache-2.0

internal import CICU

/// The characters that LaTeX's commands stand for.
enum LaTeXSymbols {
    static let text: [String: String] = [
        "&": "&", "%": "%", "$": "$", "#": "#", "_": "_", "{": "{", "}": "}", " ": " ", "\n": " ", "\t": " ", ",": " ",
        ";": " ", ":": " ", ">": " ", "!": "", "/": "", "-": "", "@": "", "quad": " ", "qquad": " ", "enspace": " ",
        "space": " ", "thinspace": " ", "ss": "ß", "SS": "ẞ", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø",
        "O": "Ø", "l": "ł", "L": "Ł", "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ",
        "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ", "S": "§", "P": "¶", "copyright": "©", "pounds": "£",
        "euro": "€", "texteuro": "€", "dag": "†", "ddag": "‡", "ldots": "…", "dots": "…", "textellipsis": "…",
        "textendash": "–", "textemdash": "—", "textquotedblleft": "“", "textquotedblright": "”", "textquoteleft": "‘",
        "textquoteright": "’", "glqq": "„", "grqq": "“", "glq": "‚", "grq": "‘", "flqq": "«", "frqq": "»",
        "guillemotleft": "«", "guillemotright": "»", "textbackslash": "\\", "textasciitilde": "~",
        "textasciicircum": "^", "textbar": "|", "textless": "<", "textgreater": ">", "textdegree": "°",
        "textregistered": "®", "texttrademark": "™", "textbullet": "•", "textperiodcentered": "·", "slash": "/",
        "LaTeX": "LaTeX", "LaTeXe": "LaTeX 2e", "TeX": "TeX", "XeTeX": "XeTeX", "LuaTeX": "LuaTeX",
        "XeLaTeX": "XeLaTeX",
        "BibTeX": "BibTeX", "textquotesingle": "'", "lbrack": "[", "rbrack": "]", "og": "« ", "fg": " »",
    ]

    static let formula: [String: String] = [
        "times": "×", "cdot": "·", "div": "÷", "pm": "±", "mp": "∓", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥",
        "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡", "sim": "∼", "infty": "∞", "to": "→", "rightarrow": "→",
        "leftarrow": "←", "Rightarrow": "⇒", "Leftrightarrow": "⇔", "mapsto": "↦", "in": "∈", "notin": "∉",
        "subset": "⊂", "subseteq": "⊆", "cup": "∪", "cap": "∩", "emptyset": "∅", "forall": "∀", "exists": "∃",
        "neg": "¬", "wedge": "∧", "land": "∧", "vee": "∨", "lor": "∨", "sum": "∑", "prod": "∏", "int": "∫",
        "partial": "∂", "nabla": "∇", "sqrt": "√", "cdots": "…", "vdots": "…", "prime": "′", "circ": "∘", "ast": "∗",
        "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ",
        "eta": "η", "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π",
        "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ",
        "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ",
        "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "sin": "sin", "cos": "cos", "tan": "tan", "log": "log", "ln": "ln",
        "exp": "exp", "lim": "lim", "max": "max", "min": "min", "det": "det", "gcd": "gcd", "mod": "mod", "|": "‖",
        "langle": "⟨", "rangle": "⟩", "ell": "ℓ", "hbar": "ℏ", "Re": "Re", "Im": "Im", "degree": "°",
    ]

    /// Commands that put an accent on the next letter, and the accents as combining characters.
    static let accents: [String: Unicode.Scalar] = [
        "'": "\u{301}", "`": "\u{300}", "^": "\u{302}", "\"": "\u{308}", "~": "\u{303}", "=": "\u{304}", ".": "\u{307}",
        "u": "\u{306}", "v": "\u{30C}", "H": "\u{30B}", "c": "\u{327}", "k": "\u{328}", "d": "\u{323}", "b": "\u{331}",
        "r": "\u{30A}",
    ]

    /// Returns a letter with an accent, in one character if there is one.
    static func accented(_ letter: Unicode.Scalar, _ accent: Unicode.Scalar) -> String {
        let letter: Unicode.Scalar = letter == "\u{131}" ? "i" : letter == "\u{237}" ? "j" : letter
        var status = U_ZERO_ERROR
        if let normalizer = icu_unorm2_getNFCInstance(&status), status.rawValue <= U_ZERO_ERROR.rawValue {
            let pair = icu_unorm2_composePair(normalizer, Int32(letter.value), Int32(accent.value))
            if pair > 0, let composed = Unicode.Scalar(UInt32(pair)) { return String(Character(composed)) }
        }
        return String(String.UnicodeScalarView([letter, accent]))
    }

    /// The languages of the `babel` package.
    static let languages: [String: String] = [
        "english": "en", "american": "en-US", "british": "en-GB", "UKenglish": "en-GB", "USenglish": "en-US",
        "german": "de", "ngerman": "de", "austrian": "de-AT", "naustrian": "de-AT", "french": "fr", "francais": "fr",
        "spanish": "es", "italian": "it", "portuguese": "pt", "brazil": "pt-BR", "brazilian": "pt-BR", "dutch": "nl",
        "swedish": "sv", "danish": "da", "norsk": "no", "nynorsk": "nn", "finnish": "fi", "polish": "pl", "czech": "cs",
        "slovak": "sk", "hungarian": "hu", "magyar": "hu", "romanian": "ro", "russian": "ru", "ukrainian": "uk",
        "bulgarian": "bg", "greek": "el", "turkish": "tr", "catalan": "ca", "croatian": "hr", "latin": "la",
        "esperanto": "eo", "icelandic": "is", "estonian": "et", "latvian": "lv", "lithuanian": "lt", "arabic": "ar",
        "hebrew": "he", "vietnamese": "vi", "welsh": "cy",
    ]
}
