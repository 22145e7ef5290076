// SPDX-License-Identifier: Apache-2.0

/// Words before which a long sentence can be cut, in some languages.
enum Conjunctions {
    static func of(_ language: String) -> Set<String> { tables[language] ?? [] }

    private static let tables: [String: Set<String>] = [
        "en": [
            "and", "but", "or", "nor", "because", "which", "who", "while", "when", "where", "if", "although", "though",
            "until", "so", "for", "that",
        ],
        "de": [
            "und", "aber", "oder", "denn", "sondern", "weil", "dass", "daß", "während", "als", "wenn", "obwohl",
            "damit", "bis",
        ],
        "fr": ["et", "mais", "ou", "car", "parce", "qui", "que", "dont", "quand", "lorsque", "tandis", "puis", "si"],
        "es": ["y", "e", "pero", "o", "porque", "que", "quien", "cuando", "mientras", "aunque", "si", "como"],
        "it": ["e", "ma", "o", "perché", "che", "quando", "mentre", "se", "come"],
        "nl": ["en", "maar", "of", "want", "omdat", "dat", "die", "toen", "terwijl", "als"],
        "pt": ["e", "mas", "ou", "porque", "que", "quando", "enquanto", "se", "como"],
        "sv": ["och", "men", "eller", "för", "att", "som", "när", "medan", "om"],
        "pl": ["i", "ale", "lub", "bo", "że", "który", "która", "które", "gdy", "jeśli"],
        "ru": ["и", "но", "или", "что", "который", "когда", "если", "потому", "чтобы"],
    ]
}
