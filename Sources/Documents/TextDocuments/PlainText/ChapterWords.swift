// SPDX-License-Identifier: Apache-2.0

/// The words with which languages head the parts of a book.
enum ChapterWords {
    /// The rank of a heading: parts have chapters in them.
    enum Rank: Int, Comparable {
        case part, chapter, other
        static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
    }

    /// Words that stand with a number.
    static let numbered: [String: Rank] = {
        var words: [String: Rank] = [:]
        for word in parts { words[word] = .part }
        for word in chapters { words[word] = .chapter }
        return words
    }()

    private static let parts = [
        "part", "book", "volume", "vol", "act", "teil", "buch", "band", "akt", "partie", "livre", "tome", "acte",
        "parte",
        "libro", "tomo", "acto", "atto", "livro", "deel", "boek", "del", "bok", "bog", "osa", "kirja", "część",
        "księga",
        "tom", "část", "kniha", "díl", "rész", "könyv", "partea", "cartea", "часть", "книга", "том", "частина", "μέρος",
        "βιβλίο", "kısım", "kitap", "phần", "חלק", "الجزء", "भाग",
    ]
    private static let chapters = [
        "chapter", "chap", "canto", "letter", "stave", "scene", "section", "lesson", "lecture", "article", "kapitel",
        "abschnitt", "brief", "szene", "artikel", "chapitre", "scène", "lettre", "capítulo", "capitulo", "escena",
        "carta", "artículo", "capitolo", "scena", "lettera", "articolo", "cena", "artigo", "hoofdstuk", "kapittel",
        "luku", "artikla", "rozdział", "artykuł", "kapitola", "fejezet", "cikk", "capitolul", "articolul", "глава",
        "статья", "розділ", "стаття", "κεφάλαιο", "αρθρο", "άρθρο", "bölüm", "madde", "chương", "điều", "פרק", "الفصل",
        "المادة", "अध्याय", "अनुच्छेद", "bab", "capítol", "kafli", "peatükk", "nodaļa", "skyrius", "poglavlje", "поглавље",
    ]

    /// Headings that need no number.
    static let standalone: Set<String> = [
        "preface", "introduction", "prologue", "epilogue", "foreword", "afterword", "contents", "table of contents",
        "conclusion", "appendix", "dedication", "acknowledgments", "acknowledgements", "index", "notes", "footnotes",
        "bibliography", "glossary", "postscript", "interlude", "preamble", "to the reader", "vorwort", "einleitung",
        "einführung", "prolog", "epilog", "inhalt", "inhaltsverzeichnis", "nachwort", "anhang", "anmerkungen",
        "préface",
        "avant-propos", "épilogue", "prologo", "épilogue", "table des matières", "conclusión", "prólogo", "epílogo",
        "prefacio", "introducción", "índice", "prefazione", "introduzione", "epilogo", "indice", "prefácio",
        "introdução", "voorwoord", "inleiding", "inhoud", "nawoord", "förord", "inledning", "innehåll", "efterord",
        "forord", "indledning", "esipuhe", "johdanto", "przedmowa", "wstęp", "spis treści", "posłowie", "předmluva",
        "úvod", "obsah", "előszó", "bevezetés", "предисловие", "введение", "вступление", "пролог", "эпилог",
        "послесловие", "содержание", "оглавление", "примечания", "πρόλογος", "εισαγωγή", "επίλογος", "önsöz", "giriş",
        "sonsöz", "lời nói đầu", "הקדמה", "מבוא", "مقدمة", "الديباجة", "प्रस्तावना", "序", "序章", "序言", "前言", "後記", "后记",
        "目次", "目录", "目錄", "終章", "머리말", "차례",
    ]
    /// The number of words of the longest of them.
    static let longestStandalone = 3
    /// The words with which a heading that has a number can begin.
    static let first = numbers.union(numbered.keys)

    /// The headings of a table of contents.
    static let contents: Set<String> = [
        "contents", "table of contents", "inhalt", "inhaltsverzeichnis", "table des matières", "índice", "indice",
        "inhoud", "innehåll", "spis treści", "obsah", "содержание", "оглавление", "目次", "目录", "目錄", "차례",
    ]

    /// Numbers in words, cardinal and ordinal, that stand with those words.
    static let numbers: Set<String> = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
        "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty",
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "last", "the",
        "erstes", "erster", "erste", "zweites", "zweiter", "zweite", "drittes", "dritter", "dritte", "viertes",
        "vierter", "vierte", "fünftes", "fünfter", "sechstes", "siebtes", "siebentes", "achtes", "neuntes", "zehntes",
        "elftes", "zwölftes", "eins", "zwei", "drei", "vier", "premier", "première", "deuxième", "second", "seconde",
        "troisième", "quatrième", "cinquième", "sixième", "primero", "primera", "segundo", "segunda", "tercero",
        "tercera", "cuarto", "cuarta", "quinto", "quinta", "primo", "prima", "secondo", "seconda", "terzo", "terza",
        "quarto", "quarta", "primeiro", "primeira", "terceiro", "terceira", "första", "andra", "tredje", "fjärde",
        "femte", "eerste", "tweede", "derde", "vierde", "первая", "первый", "вторая", "второй", "третья", "третий",
        "четвертая", "четвёртая", "пятая", "шестая", "седьмая", "восьмая", "девятая", "десятая", "pierwszy", "pierwsza",
        "drugi", "druga", "trzeci", "trzecia", "الأول", "الثاني", "الثالث", "ראשון", "שני", "שלישי",
    ]
}
