// SPDX-License-Identifier: Apache-2.0

extension SentenceRules {
    static let english = SentenceRules(
        open: """
            mr mrs ms messrs mme mlle prof rev revd hon gen lt lieut col sgt capt cpt cmdr adm maj gov sen rep pres supt
            ste esq fr br sr e.g i.e eg ie cf viz vs v al approx ca c incl excl resp dept est tel ext ed eds trans
            jan feb mar apr jun jul aug sept sep oct nov dec mon tue tues wed thu thur thurs fri
            """,
        beforeNumbers: "no nos p pp vol vols ch chap fig figs art sec ver bk pt op par para eq nr ex lib",
        beforeNames: "dr st mt ft",
        starters: """
            the a an and but or nor so yet if when while then there this that these those it he she they we you i his
            her its their our my your in on at as for from with by to of after before because although though since what
            who why how where which not no yes all some many most one two both each every now here however meanwhile
            perhaps
            """,
        words: "i")

    static let german = SentenceRules(
        open: """
            hr hrn fr frl dr prof dipl ing med phil jur st sankt z.b z d.h d u.a u o.ä o.g s.o s.u i.d.r i.a vgl bzw ca
            evtl ggf inkl exkl zzgl bspw sog gen geb verh gest ehem insb max min mind abs allg bes dgl etw franz engl dt
            lat griech jan feb febr mär apr jun jul aug sept okt nov dez tel str hl mio mrd tsd
            """,
        beforeNumbers: "nr s bd bde kap abb art aufl ausg jg abschn tab anm ziff rn",
        starters: """
            der die das den dem ein eine einer einem einen er sie es wir ihr ich du und aber oder denn doch als wenn
            weil da dann dort hier so nun wie was wer wo warum wann nach vor mit bei in im an am auf aus zu zum zur von
            vom für durch über unter auch nur noch schon nicht kein keine dieser diese dieses jener jede jeder jedes man
            sein seine seinen ihre danach dabei damit dies ob während obwohl trotzdem deshalb darum außerdem alle beide
            viele
            """,
        hasDottedOrdinals: true)

    static let french = SentenceRules(
        open: """
            m mm mme mmes mlle mlles mgr dr pr me st ste sts p.ex p ex c.-à-d c.à.d cf env av apr j.-c.-à chap éd ibid
            op boul bd janv févr avr juil sept oct nov déc tél fig min max adj
            """,
        beforeNumbers: "n no nos p pp t art chap fig vol ch livr",
        starters: """
            le la les l un une des du de d il elle ils elles on nous vous je tu ce c cet cette ces et mais ou or donc
            car ni si quand lorsque comme alors puis ensuite après avant dans sur sous avec sans pour par en à au aux
            qui que quoi où pourquoi comment son sa ses leur leurs mon ma mes notre votre tout tous toute toutes ainsi
            pourtant cependant mais voilà ici là
            """,
        words: "y")

    static let spanish = SentenceRules(
        open: """
            sr sra srta sres sras d dª dña dr dra prof profa lic ing arq gral cnel tte cap mons fr fray sto sta ud uds
            vd vds p.ej p ej ee ff cc aa av avda c/ cf vid aprox izq dcha ene feb abr jun jul ago sep sept oct nov dic
            tel máx mín
            """,
        beforeNumbers: "n núm no nº pág págs p pp cap art fig vol t párr",
        starters: """
            el la los las lo un una unos unas él ella ellos ellas yo tú nosotros usted ustedes y e o u pero mas sino si
            cuando mientras como entonces luego después antes en con sin por para de desde hasta sobre que quien qué
            quién dónde cómo cuándo este esta estos estas ese esa esos eso esto aquel aquella su sus mi tu no sí también
            todo todos así allí aquí
            """,
        words: "y o e a")

    static let italian = SentenceRules(
        open: """
            sig sigg sig.ra sig.na dott dr prof ing avv on rev mons ecc.mo s ss p.es p es cfr ca art gen col cap ten
            serg arch geom genn febb apr giu lug ago sett ott nov dic tel
            """,
        beforeNumbers: "n nn pag pagg p pp art cap fig vol t",
        starters: """
            il lo la i gli le l un uno una egli lui lei essa esso essi loro noi voi io tu e ed ma o se quando mentre
            come allora poi dopo prima in con senza per di da su tra fra che chi cosa dove perché questo questa questi
            queste quello quella non sì anche così ora qui lì suo sua mio tutti tutto
            """,
        words: "e o i a")

    static let dutch = SentenceRules(
        open: """
            dhr mevr mw drs dr ir ing mr prof ds st bijv bv b.v d.w.z o.a m.a.w nl evt resp ca incl excl vgl zgn m.b.t
            i.v.m t.a.v jan febr mrt apr jun jul aug sept okt nov dec tel max min
            """,
        beforeNumbers: "nr nrs blz p pp hfst art fig dl",
        starters: """
            de het een hij zij ze wij we jij je ik u en maar of want dus als toen terwijl dan daar hier er dit dat deze
            die in op aan met zonder voor door van uit naar na wat wie waar waarom hoe niet geen ook nog nu zijn haar
            hun mijn alle alles
            """,
        words: "u")

    static let portuguese = SentenceRules(
        open: """
            sr sra srs sras srta dr dra drs prof profa eng exmo exma ilmo d dom v vs s sto sta p.ex p ex cf av r al pç
            gen cel cap ten jan fev abr jun jul ago set out nov dez tel máx mín aprox
            """,
        beforeNumbers: "n nº núm pág págs p pp cap art fig vol t",
        starters: """
            o a os as um uma ele ela eles elas eu tu nós você vocês e ou mas se quando enquanto como então depois antes
            em no na nos nas com sem por para de do da que quem onde porquê este esta esse essa isso isto aquele seu sua
            meu não sim também todos tudo assim aqui ali
            """,
        words: "e o a")

    static let swedish = SentenceRules(
        open: """
            hr fr frk dr prof t.ex t ex d.v.s dvs bl.a bl m.fl m m.m o.s.v s.k f.d p.g.a jfr ca st tel resp inkl exkl
            max kl jan febr apr jun jul aug sept okt nov dec
            """,
        beforeNumbers: "nr s sid kap fig bd",
        starters: """
            den det de en ett han hon vi ni jag du och men eller för så om när medan som då där här detta denna dessa i
            på av med utan till från efter före vad vem var varför hur inte ingen också nu hans hennes sin mitt alla
            allt
            """,
        words: "i å ö")

    static let danish = SentenceRules(
        open: """
            hr fr frk dr prof f.eks f eks fx d.v.s dvs bl.a m.fl m.m osv s.k jf jfr ca st tel hhv inkl ekskl maks kl pga
            jan feb apr jun jul aug sept okt nov dec
            """,
        beforeNumbers: "nr s kap fig bd",
        starters: """
            den det de en et han hun vi i jeg du og men eller for så om hvis når mens som da der her dette denne disse
            på af med uden til fra efter før hvad hvem hvor hvorfor hvordan ikke ingen også nu hans hendes sin min alle
            alt
            """,
        hasDottedOrdinals: true, words: "i å ø")

    static let polish = SentenceRules(
        open: """
            np tzn tj m.in m in itp dr prof mgr inż hab św ks gen płk kpt por zob por ok ul al pl ur zm red tłum p pp
            sty lut kwi cze lip sie wrz paź gru tel maks min tzw
            """,
        beforeNumbers: "nr s str t rozdz rys art ust poz", beforeNames: "im",
        starters: """
            on ona ono oni one ja ty my wy i a ale lub albo oraz bo gdy kiedy jeśli jak więc potem wtedy tam tu to ten
            ta te w we na z ze do od po przed dla przez co kto gdzie dlaczego nie tak też już jego jej ich mój wszyscy
            wszystko
            """,
        hasDottedOrdinals: true, words: "i a o u w z")

    static let czech = SentenceRules(
        open: """
            např tzn tj tzv mj atd dr prof doc ing mgr bc mudr judr phdr rndr sv p pí sl gen plk kpt srov viz cca popř
            resp nám ul úno bře dub kvě čer srp zář říj lis pro tel
            """,
        beforeNumbers: "č s str kap obr odst sv r",
        starters: """
            on ona ono oni já ty my vy a i ale nebo protože když pokud jak tak pak potom tam tu to ten ta ti v ve na z
            ze do od po před pro co kdo kde proč ne také už jeho její jejich můj všichni vše byl byla bylo
            """,
        hasDottedOrdinals: true, words: "a i k o s u v z")

    static let russian = SentenceRules(
        open: """
            т.е т е т.к т.д т.п т.н т.ч др пр проф акад доц г-н г-жа св ул пл просп пер д кв корп гр тов см ср напр
            прибл янв февр апр авг сент окт нояб дек тел млн млрд тыс руб коп ред сост илл
            """,
        beforeNumbers: "№ с стр гл рис табл т ст п вып", beforeNames: "им",
        starters: """
            он она оно они я ты мы вы и а но или если когда как так потом тогда там тут это этот эта эти в во на с со из
            к ко до от по перед для через что кто где почему не нет да тоже уже его её их мой все всё был была было у о
            об за
            """,
        words: "я и а в к о с у")
}
