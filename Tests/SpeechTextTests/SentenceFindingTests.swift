// SPDX-License-Identifier: Apache-2.0

import ReadingText
import Testing

/// Sentences are written with a bar between them, which stands for a space.
struct SentenceFindingTests {
    @Test(arguments: [
        "Hello there.|How are you?|Fine!",
        "He met Dr. Smith at 5 p.m.|He was late.",
        "The U.S. Army came.|He lives in the U.S.|They do not.",
        "J. R. R. Tolkien wrote it.|So did C. S. Lewis.|And I.|Then we left.",
        "No. 5 is here.|No.|That is wrong.|I said no.|He left.",
        "\"Stop!\" he said.|\"Why?\" she asked.|\"Because.\"|Then he left.",
        "He said \"Go.\"|Then he went.|(It was late.)|They slept.",
        "Wait... what?|I thought...|Never mind.|And so… it went.|And…|Then.",
        "It costs 3.50 dollars.|Version 2.0.|Next.",
        "e.g. this one, i.e. that one, etc.|The end.",
        "no capitals here.|then another one.|and a third one without any.",
        "no punctuation at all just words and words",
        "It happened in 1984.|Then it was over.",
        "1. First item.|Next sentence.",
        "Mr. and Mrs. Jones left.|St. Mary is here.|He lives on Elm St.|The house is big.",
        "See Fig. 3 and p. 12.|Then stop.",
        "He works at Acme Inc.|The firm is big.|He works at Acme Inc. in Boston.",
        "Really?!|Yes!!|No...",
        "She came at 9 a.m. on Monday.|At 10 a.m.|She left.",
        "Chapter I.|It begins.|World War II.|It ended.|Henry VIII.|He died.",
        "The end.[12]|The next.|The end.³|Next.",
        "visit example.com.|Then go.|Use System.Text.Json.|It works.",
        "end.|Next sentence here. foo.bar is one.",
        "'He left.'|'Did he?'|‘Yes.’|’Tis so.",
        "Hello World",
        "Is it A. or B. Smith?|It was vitamin C.|The doctor said so.",
        "Yahoo! is a company.|Jeopardy! is a show.",
        "Ph.D. students left.|He has a Ph.D.|She has none.",
    ])
    func `English sentences end where they should`(marked: String) {
        Self.check(marked, "en")
    }

    @Test(arguments: [
        "Am 3. Mai kam er.|Am 4. ging er.|Es war 1984.|Dann war es aus.",
        "Das ist z. B. so.|Und d. h. auch so.|Dr. Müller kam.|Usw. usf.|Er ging.",
        "Im 19. Jahrhundert war das so.|Er war der 2.|Der andere war der 3.",
        "„Komm!“, sagte er.|„Warum?“|Er ging.|»Ja.«|Sie blieb.",
        "Friedrich II. war König.|Karl V.|Er starb.",
        "Er kam um 5.|Sie ging um 6.",
        "Die Nr. 5 lebt.|Vgl. Abb. 3.|Ende.",
    ])
    func `German sentences end where they should`(marked: String) {
        Self.check(marked, "de")
    }

    @Test(arguments: [
        "M. Dupont est là.|Mme Durand aussi.|Il dit : « Viens ! »|Puis il part.|« Non. »|Elle reste.",
        "Au XIXe siècle.|Il a p. ex. un livre.|Etc.|Fin.|J.-C. est né.",
        "Comment ? dit-il.|Oui !|Non.",
    ])
    func `French sentences end where they should`(marked: String) {
        Self.check(marked, "fr")
    }

    @Test(arguments: [
        "¿Qué es?|¡Nada!|El Sr. García llegó.|Los EE. UU. son grandes.|Fin.",
        "Dijo: «Ven.»|Luego se fue.|Ud. no.",
    ])
    func `Spanish sentences end where they should`(marked: String) {
        Self.check(marked, "es")
    }

    @Test(arguments: [
        ("zh", "你好。|你好吗?|我很好!|他说:“走吧。”|然后走了。"),
        ("zh", "今天天气很好我们去公园玩然后回家"),
        ("ja", "吾輩は猫である。|名前はまだ無い。|「行こう。」と彼は言った。|そして行った。"),
        ("th", "สวัสดีครับ วันนี้อากาศดี เราไปเที่ยวกันเถอะ"),
        ("ar", "مرحبا.|كيف حالك؟|أنا بخير!|شكرا."),
        ("he", "שלום.|מה שלומך?|אני בסדר!|תודה."),
        ("hi", "यह एक वाक्य है।|यह दूसरा है॥|क्या यह तीसरा है?|हाँ।"),
        ("ru", "Он пришёл.|Г. Иванов и т. д. ушли.|Это было в 1984 г.|Потом всё."),
        ("el", "Τι είναι;|Τίποτα.|Καλά."),
    ])
    func `other scripts have their own ends`(language: String, marked: String) {
        Self.check(marked, language, isSpaced: !["zh", "ja"].contains(language))
    }

    private static func check(_ marked: String, _ language: String, isSpaced: Bool = true) {
        let expected = marked.split(separator: "|").map(String.init)
        // Nothing stands between a stop and a word that follows it at once.
        let text = expected.joined(separator: isSpaced && !marked.hasPrefix("end.|") ? " " : "")
        #expect(ReadingDocument(text, language: language).sentences() == expected)
    }
}
