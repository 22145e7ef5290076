// SPDX-License-Identifier: Apache-2.0

import ReadingText
import Testing

/// What is written in figures and signs, and how it is said.
struct NumberTests {
    @Test(arguments: [
        ("It cost $3.50, or £20.", "It cost three dollars and fifty cents, or twenty pounds."),
        ("He has 1,234 books.", "He has one thousand two hundred thirty-four books."),
        (
            "It has 12,345,678 pages.",
            "It has twelve million three hundred forty-five thousand six hundred seventy-eight pages."
        ),
        ("Pi is 3.14159.", "Pi is three point one four one five nine."),
        ("In 1984 and 2007.", "In nineteen eighty-four and two thousand seven."),
        ("In 1900 and 2000, in 1066.", "In nineteen hundred and two thousand, in one thousand sixty-six."),
        ("The 21st of May.", "The twenty-first of May."),
        ("On 3 May 2020 we met.", "On the third of May twenty twenty we met."),
        ("On May 5, 2020, we met.", "On May fifth, twenty twenty, we met."),
        ("It was May 5th.", "It was May fifth."),
        ("At 3:30 p.m. he left.", "At three thirty p m he left."),
        ("At 15:00 it rained.", "At fifteen hundred it rained."),
        ("It starts at 9 a.m. sharp.", "It starts at nine a m sharp."),
        ("It is 7:05.", "It is seven oh five."),
        ("12:30:15", "twelve thirty and fifteen seconds"),
        (
            "5 km away, 10kg of gold, -5 °C, 20°C.",
            "five kilometres away, ten kilograms of gold, minus five degrees Celsius, twenty degrees Celsius."
        ),
        (
            "1 km, 1 kg, $1, $1.01, $0.99",
            "one kilometre, one kilogram, one dollar, one dollar and one cent, ninety-nine cents"
        ),
        ("$5 million and $2.5bn.", "five million dollars and two point five billion dollars."),
        (
            "50% of 3/4 and 1/2, 2 1/2, ½, 2½.",
            "fifty percent of three quarters and one half, two and a half, one half, two and a half."
        ),
        (
            "Chapter IV and Henry VIII and World War II and the book I read.",
            "Chapter four and Henry the eighth and World War two and the book I read."
        ),
        (
            "See https://www.example.com/path/to?x=1 or mail me@example.org.",
            "See example dot com slash path slash to or mail me at example dot org."
        ),
        ("Visit example.com today.", "Visit example dot com today."),
        ("5-10 people, pages 5–10.", "five to ten people, pages five to ten."),
        ("1914–18, 1939-1945.", "nineteen fourteen to eighteen, nineteen thirty-nine to nineteen forty-five."),
        ("the 1990s, the 80s", "the nineteen nineties, the eighties"),
        ("Version 1.2.3.", "Version one point two point three."),
        ("At 192.168.0.1.", "At one hundred ninety-two point one hundred sixty-eight point zero point one."),
        ("No. 5 is alive. pp. 5-10.", "number five is alive. pages five to ten."),
        ("B52, 3D, MP3, A4, 4x4, 24/7.", "B fifty-two, three D, MP three, A four, four x four, twenty-four seven."),
        ("Dr. Smith lives on Elm St. in New York.", "Doctor Smith lives on Elm Street in New York."),
        (
            "U.S. Army, U.S.A., e.g. this, i.e. that, etc. and so on.",
            "U S Army, U S A, for example this, that is that, et cetera and so on."
        ),
        ("J. R. R. Tolkien wrote it.", "J R R Tolkien wrote it."),
        (
            "3/5/2020 and 2020-05-03 and 3.5.2020",
            "March fifth, twenty twenty and May third, twenty twenty and May third, twenty twenty"
        ),
        ("1st 2nd 3rd 4th 11th 100th", "first second third fourth eleventh one hundredth"),
        ("007 and 0.5 and .5 and 1e10", "zero zero seven and zero point five and zero point five and one e ten"),
        (
            "12345678901234567890",
            "one two three four five six seven eight nine zero one two three four five six seven eight nine zero"
        ),
        (
            "C & D, 5 + 3 = 8, 5 × 3, a/b, and/or",
            "C and D, five plus three equals eight, five times three, a b, and or"
        ),
        ("10:1 ratio, 16:9", "ten to one ratio, sixteen to nine"),
        (
            "Louis XIV, Elizabeth II, Pope John Paul II",
            "Louis the fourteenth, Elizabeth the second, Pope John Paul the second"
        ),
        (
            "Feb. 29, Jan. 1990, Sept. 11, 2001",
            "February twenty-ninth, January nineteen ninety, September eleventh, two thousand one"
        ),
        ("1/2 cup; 3/4 of it; 7/8", "one half cup; three quarters of it; seven eighths"),
        (
            "€5.50, 5 €, 100 EUR, ¥500, 5¢",
            "five euros and fifty cents, five euros, one hundred euros, five hundred yen, five cents"
        ),
        ("It's 100°F.", "It's one hundred degrees Fahrenheit."),
        ("1 000 000 people", "one million people"),
        (
            "20th-century, 5-year-old, 90-minute, 1960s-era",
            "twentieth century, five year old, ninety minute, nineteen sixties era"
        ),
        ("Mr. and Mrs. Jones vs. the State.", "Mister and Missus Jones versus the State."),
        ("St. Mary on St. Mark St. today.", "Saint Mary on Saint Mark Street today."),
        (
            "1500 people, 3000 people, 1999 people",
            "fifteen hundred people, three thousand people, nineteen ninety-nine people"
        ),
        ("4K TV, $5k, 10k run", "four K TV, five thousand dollars, ten k run"),
        (
            "He earns $1,000 a year, or 1,000,000 pesos.",
            "He earns one thousand dollars a year, or one million pesos."
        ),
        ("It is 5 a.m. now, 11:59pm there.", "It is five a m now, eleven fifty-nine p m there."),
        ("The 2nd of 3 and the 3rd.", "The second of three and the third."),
        ("Pages 1-2 of vol. 3.", "Pages one to two of volume three."),
        ("X-rays and 10% of 2.5 kg.", "X-rays and ten percent of two point five kilograms."),
        ("July 4, 1776.", "July fourth, seventeen seventy-six."),
        ("$1.5 million, 3 million people", "one point five million dollars, three million people"),
        ("20 °C to 25 °C, 90°", "twenty degrees Celsius to twenty-five degrees Celsius, ninety degrees"),
    ])
    func `figures in English`(written: String, said: String) {
        #expect(ReadingDocument(written, language: "en").spoken() == said)
    }

    @Test(arguments: [
        ("Es kostet 3,50 € oder 20 Euro.", "Es kostet drei Euro fünfzig oder zwanzig Euro."),
        ("Er hat 1.234 Seiten.", "Er hat eintausendzweihundertvierunddreißig Seiten."),
        ("Von 12.000.000 Seiten.", "Von zwölf Millionen Seiten."),
        (
            "Am 3. Mai 2020 und am 3.5.2020 und am 03.05.",
            "Am dritten Mai zweitausendzwanzig und am dritten Mai zweitausendzwanzig und am dritten Mai."
        ),
        (
            "1984 und 2007, im Jahr 1900, 1066.",
            "neunzehnhundertvierundachtzig und zweitausendsieben, im Jahr neunzehnhundert, eintausendsechsundsechzig."
        ),
        (
            "Um 15:30 Uhr, um 7 Uhr, um 7.30 Uhr, um 1 Uhr.",
            "Um fünfzehn Uhr dreißig, um sieben Uhr, um sieben Uhr dreißig, um ein Uhr."
        ),
        (
            "5 km, 1 km, 10 kg, -5 °C, 50 %.",
            "fünf Kilometer, ein Kilometer, zehn Kilogramm, minus fünf Grad Celsius, fünfzig Prozent."
        ),
        (
            "Friedrich II. war König. Karl V. und Ludwig XIV.",
            "Friedrich der zweite war König. | Karl der fünfte und Ludwig der vierzehnte."
        ),
        (
            "Der 2. Weltkrieg, im 19. Jahrhundert, die 3. Auflage.",
            "Der zweite Weltkrieg, im neunzehnten Jahrhundert, die dritte Auflage."
        ),
        (
            "z. B. hier, d. h. dort, usw. und bzw. so.",
            "zum Beispiel hier, das heißt dort, und so weiter und beziehungsweise so."
        ),
        ("Dr. Müller wohnt in der Hauptstr. 5.", "Doktor Müller wohnt in der Hauptstraße fünf."),
        ("Nr. 5, S. 12, Kap. 3, Bd. II.", "Nummer fünf, Seite zwölf, Kapitel drei, Band zwei."),
        ("½ Liter, 3/4 davon.", "ein halb Liter, drei Viertel davon."),
        (
            "2,5 Millionen, 2,5 Mio. Euro, 1 Million Euro",
            "zwei Komma fünf Millionen, zwei Komma fünf Millionen Euro, eine Million Euro"
        ),
        ("1990er Jahre, die 80er", "neunzehnhundertneunziger Jahre, die achtziger"),
        ("www.beispiel.de und info@beispiel.de", "beispiel Punkt de und info ät beispiel Punkt de"),
        ("10-20 Leute, 1914–1918", "zehn bis zwanzig Leute, neunzehnhundertvierzehn bis neunzehnhundertachtzehn"),
        ("5 + 3 = 8, 5 & 6", "fünf plus drei gleich acht, fünf und sechs"),
        ("16:9 und 3:2", "sechzehn zu neun und drei zu zwei"),
        ("§ 5 Abs. 2", "Paragraf fünf Absatz zwei"),
        ("v. Chr. und n. Chr., Hr. Schmidt", "vor Christus und nach Christus, Herr Schmidt"),
        ("Die 1. Klasse, am 1. und 2. Tag.", "Die erste Klasse, am ersten und zweiter Tag."),
        ("0,5 und 1.000,50 €", "null Komma fünf und eintausend Euro fünfzig"),
        ("3 Mio. €", "drei Millionen Euro"),
    ])
    func `figures in German`(written: String, said: String) {
        #expect(ReadingDocument(written, language: "de").spoken() == said)
    }

    @Test(arguments: [
        ("Il coûte 3,50 € ou 20 euros.", "Il coûte trois euros cinquante ou vingt euros."),
        ("Il a 1 234 livres.", "Il a mille deux cent trente-quatre livres."),
        ("Il a 12 000 678 pages.", "Il a douze millions six cent soixante-dix-huit pages."),
        (
            "Le 3 mai 2020 et le 1er mai et le 3/5/2020.",
            "Le trois mai deux mille vingt et le premier mai et le trois mai deux mille vingt."
        ),
        ("En 1984 et 2007, 1900.", "En mille neuf cent quatre-vingt-quatre et deux mille sept, mille neuf cents."),
        (
            "À 15 h 30, à 7h30, à 7h, à 15:30, à 1 h.",
            "À quinze heures trente, à sept heures trente, à sept heures, à quinze heures trente, à une heure."
        ),
        (
            "5 km, 1 km, 10 kg, -5 °C, 50 %.",
            "cinq kilomètres, un kilomètre, dix kilogrammes, moins cinq degrés Celsius, cinquante pour cent."
        ),
        (
            "21 livres, 21 pages, 71, 80, 81.",
            "vingt-et-un livres, vingt-et-une pages, soixante-et-onze, quatre-vingts, quatre-vingt-un."
        ),
        ("Il a 91, 99, 100, 101, 200.", "Il a quatre-vingt-onze, quatre-vingt-dix-neuf, cent, cent un, deux cents."),
        (
            "Louis XIV, François Ier, Napoléon III, Élisabeth II",
            "Louis quatorze, François premier, Napoléon trois, Élisabeth deux"
        ),
        (
            "Le XIXe siècle, le XXIᵉ siècle, la 2e fois, la 1re fois",
            "Le dix-neuvième siècle, le vingt-et-unième siècle, la deuxième fois, la première fois"
        ),
        ("p. ex. ici, c.-à-d. là, etc.", "par exemple ici, c'est-à-dire là, et cetera."),
        ("M. Dupont et Mme Durand, Dr Martin", "Monsieur Dupont et Madame Durand, Docteur Martin"),
        ("n° 5, p. 12, chap. 3, vol. II", "numéro cinq, page douze, chapitre trois, volume deux"),
        (
            "½ litre, 3/4, 1/2, 2,5 millions d'euros, 1 million €",
            "un demi litre, trois quarts, un demi, deux virgule cinq millions d'euros, un million d'euros"
        ),
        ("www.exemple.fr et info@exemple.fr", "exemple point fr et info arobase exemple point fr"),
        ("10-20 personnes, 1914–1918", "dix à vingt personnes, mille neuf cent quatorze à mille neuf cent dix-huit"),
        ("5 + 3 = 8", "cinq plus trois égale huit"),
        ("10 000 € et 1 000 000 de gens", "dix mille euros et un million de gens"),
        ("16:9", "seize à neuf"),
        ("av. J.-C.", "avant Jésus-Christ."),
        ("0,5 et 1 000,50 €", "zéro virgule cinq et mille euros cinquante"),
    ])
    func `figures in French`(written: String, said: String) {
        #expect(ReadingDocument(written, language: "fr").spoken() == said)
    }

    @Test(arguments: [
        ("Cuesta 3,50 € o 20 euros.", "Cuesta tres euros con cincuenta céntimos o veinte euros."),
        ("Tiene 1.234 libros.", "Tiene mil doscientos treinta y cuatro libros."),
        ("Tiene 12.000.678 páginas.", "Tiene doce millones seiscientas setenta y ocho páginas."),
        (
            "El 3 de mayo de 2020 y el 1 de mayo y el 3/5/2020.",
            "El tres de mayo de dos mil veinte y el primero de mayo y el tres de mayo de dos mil veinte."
        ),
        ("En 1984 y 2007, 1900.", "En mil novecientos ochenta y cuatro y dos mil siete, mil novecientos."),
        ("A las 15:30, a las 7:05, a la 1:00.", "A las quince treinta, a las siete y cinco, a la una en punto."),
        (
            "5 km, 1 km, 10 kg, -5 °C, 50 %.",
            "cinco kilómetros, un kilómetro, diez kilogramos, menos cinco grados Celsius, cincuenta por ciento."
        ),
        (
            "21 libros, 31 días, 1 libro, 100, 101, 500",
            "veintiún libros, treinta y un días, un libro, cien, ciento uno, quinientos"
        ),
        ("Felipe II, Carlos V, Luis XIV, Isabel II", "Felipe segundo, Carlos quinto, Luis catorce, Isabel segunda"),
        (
            "El siglo XIX, la 2ª vez, el 1er día, el 3.º piso",
            "El siglo diecinueve, la segunda vez, el primer día, el tercer piso"
        ),
        ("p. ej. aquí, etc.", "por ejemplo aquí, etcétera."),
        ("Sr. García y Sra. López, EE. UU. y Ud.", "señor García y señora López, Estados Unidos y usted."),
        ("n.º 5, pág. 12, cap. 3", "número cinco, página doce, capítulo tres"),
        (
            "½ litro, 3/4, 2,5 millones de euros, 1 millón €",
            "un medio litro, tres cuartos, dos coma cinco millones de euros, un millón de euros"
        ),
        ("www.ejemplo.es e info@ejemplo.es", "ejemplo punto es e info arroba ejemplo punto es"),
        ("10-20 personas, 1914–1918", "diez a veinte personas, mil novecientos catorce a mil novecientos dieciocho"),
        ("5 + 3 = 8", "cinco más tres igual a ocho"),
        ("0,5 y 1.000,50 €", "cero coma cinco y mil euros con cincuenta céntimos"),
    ])
    func `figures in Spanish`(written: String, said: String) {
        #expect(ReadingDocument(written, language: "es").spoken() == said)
    }
}
