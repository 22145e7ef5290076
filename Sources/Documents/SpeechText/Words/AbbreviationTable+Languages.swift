// SPDX-License-Identifier: Apache-2.0

extension AbbreviationTable {
    static let english = AbbreviationTable(
        """
        mr|Mister|.
        mrs|Missus|.
        ms|Miz|.^
        messrs|Messieurs|.
        dr|Doctor|.^
        dr|Drive|!
        prof|Professor
        rev,revd|Reverend|^
        hon|Honourable|^
        gen|General|^
        lt|Lieutenant|^
        col|Colonel|^
        sgt|Sergeant|^
        capt|Captain|^
        maj|Major|^
        cmdr|Commander|^
        adm|Admiral|^
        gov|Governor|^
        sen|Senator|^
        rep|Representative|^
        pres|President|^
        st|Saint|.^
        st|Street|!
        mt|Mount|.^
        ft|Fort|^
        jr|Junior
        sr|Senior
        esq|Esquire
        inc|Incorporated
        ltd|Limited
        co|Company
        corp|Corporation
        bros|Brothers
        ave|Avenue
        blvd|Boulevard
        rd|Road
        e.g,eg|for example|.
        i.e|that is|.
        etc|et cetera|.
        vs|versus|.
        v|versus|^
        cf|compare
        viz|namely
        approx|approximately
        dept|department
        est|established|#
        ext|extension|#
        no|number|#
        nos|numbers|#
        p|page|#
        pp|pages|#
        vol|volume|#
        vols|volumes|#
        ch,chap|chapter|#
        fig|figure|#
        figs|figures|#
        sec|section|#
        art|article|#
        ver|verse|#
        eq|equation|#
        ed|edition|<
        ca,c|circa|#
        et al|et alia
        a.m|a m|.<
        p.m|p m|.<
        am|a m|.<
        pm|p m|.<
        a.d|A D|.
        b.c|B C|.
        ph.d|P H D|.
        jan|January
        feb|February
        aug|August
        sept,sep|September
        oct|October
        nov|November
        dec|December
        mon|Monday|^
        tues|Tuesday
        thurs|Thursday
        w/o|without|.
        w/|with|.
        """)

    static let german = AbbreviationTable(
        """
        z.b,z. b|zum Beispiel
        d.h,d. h|das heißt
        u.a,u. a|unter anderem
        i.d.r,i. d. r|in der Regel
        o.ä,o. ä|oder Ähnliches
        u.ä,u. ä|und Ähnliches
        s.o,s. o|siehe oben
        s.u,s. u|siehe unten
        v. chr,v.chr|vor Christus
        n. chr,n.chr|nach Christus
        usw|und so weiter
        usf|und so fort
        etc|et cetera
        bzw|beziehungsweise
        bzgl|bezüglich
        ca|circa
        vgl|vergleiche
        evtl|eventuell
        ggf|gegebenenfalls
        inkl|inklusive
        exkl|exklusive
        zzgl|zuzüglich
        bspw|beispielsweise
        sog|sogenannt
        geb|geboren
        gest|gestorben
        max|maximal|#
        min|mindestens|#
        dr|Doktor|.^
        prof|Professor
        dipl|Diplom
        ing|Ingenieur
        hr|Herr|^
        hrn|Herrn|^
        fr|Frau|^
        frl|Fräulein|^
        st|Sankt|^
        str|Straße
        nr|Nummer|.#
        s|Seite|#
        bd|Band|#
        kap|Kapitel|#
        abb|Abbildung|#
        abs|Absatz|#
        art|Artikel|#
        aufl|Auflage
        jh,jhd,jhdt|Jahrhundert
        std|Stunden|<
        jan|Januar
        feb|Februar
        okt|Oktober
        nov|November
        dez|Dezember
        """, endings: [("str", "straße"), ("Str", "Straße")])

    static let french = AbbreviationTable(
        """
        m|Monsieur|^
        mm|Messieurs|^
        mme|Madame|.^
        mmes|Mesdames|.^
        mlle|Mademoiselle|.^
        mlles|Mesdemoiselles|.^
        mgr|Monseigneur|.^
        dr|Docteur|.^
        pr|Professeur|^
        me|Maître|^
        st|Saint|^
        ste|Sainte|^
        p.ex,p. ex|par exemple
        c.-à-d,c.à.d|c'est-à-dire
        av. j.-c|avant Jésus-Christ
        apr. j.-c|après Jésus-Christ
        etc|et cetera
        cf|confer|.
        env|environ
        éd|édition
        n°,nº,no|numéro|.#
        p|page|#
        pp|pages|#
        vol|volume|#
        chap|chapitre|#
        art|article|#
        fig|figure|#
        t|tome|#
        bd,boul|boulevard
        av|avenue|^
        tél|téléphone
        janv|janvier
        févr|février
        juil|juillet
        sept|septembre
        oct|octobre
        nov|novembre
        déc|décembre
        """)

    static let spanish = AbbreviationTable(
        """
        sr|señor|^
        sra|señora|^
        srta|señorita|^
        sres|señores|^
        d|don|^
        dª,dña|doña|.^
        dr|doctor|^
        dra|doctora|^
        prof|profesor
        ing|ingeniero|^
        lic|licenciado|^
        gral|general|^
        ud,vd|usted
        uds,vds|ustedes
        sto|santo|^
        sta|santa|^
        ee. uu,ee.uu,eeuu|Estados Unidos
        p. ej,p.ej|por ejemplo
        a. c,a.c|antes de Cristo
        d. c,d.c|después de Cristo
        etc|etcétera
        cf|confer
        aprox|aproximadamente
        avda|avenida
        izq|izquierda
        dcha|derecha
        n.º,nº,núm|número|.#
        pág|página|#
        págs|páginas|#
        p|página|#
        cap|capítulo|#
        art|artículo|#
        fig|figura|#
        vol|volumen|#
        tel|teléfono
        """)
}
