// SPDX-License-Identifier: Apache-2.0

/// The meaning of LaTeX's commands to a listener.
enum LaTeXCommands {
    /// Sections and their levels.
    static let sections: [String: Int] = [
        "part": 1, "chapter": 2, "section": 3, "subsection": 4, "subsubsection": 5, "paragraph": 6, "subparagraph": 7,
    ]

    /// Commands whose arguments say nothing, and how many those are.
    static let silent: [String: Int] = [
        "label": 1, "ref": 1, "eqref": 1, "pageref": 1, "autoref": 1, "cref": 1, "Cref": 1, "nameref": 1, "vref": 1,
        "cite": 1, "citep": 1, "citet": 1, "citealp": 1, "citealt": 1, "citeauthor": 1, "citeyear": 1, "autocite": 1,
        "parencite": 1, "textcite": 1, "footcite": 1, "nocite": 1, "index": 1, "glossary": 1, "bibliography": 1,
        "bibliographystyle": 1, "addbibresource": 1, "includegraphics": 1, "includesvg": 1, "includepdf": 1,
        "usepackage": 1, "RequirePackage": 1, "documentclass": 1, "documentstyle": 1, "newcommand": 2,
        "renewcommand": 2, "providecommand": 2, "DeclareMathOperator": 2, "newenvironment": 3, "renewenvironment": 3,
        "setlength": 2, "addtolength": 2, "setcounter": 2, "addtocounter": 2, "newcounter": 1, "stepcounter": 1,
        "refstepcounter": 1, "newlength": 1, "vspace": 1, "hspace": 1, "pagestyle": 1, "thispagestyle": 1,
        "pagenumbering": 1, "hypersetup": 1, "addcontentsline": 3, "newtheorem": 2, "definecolor": 3, "color": 1,
        "textcolor": 1, "colorbox": 1, "pagecolor": 1, "fontsize": 2, "href": 1, "phantom": 1, "hphantom": 1,
        "vphantom": 1, "hyphenation": 1, "foreignlanguage": 1, "selectlanguage": 1, "lstset": 1, "lstinputlisting": 1,
        "parbox": 1, "multicolumn": 2, "multirow": 2, "rule": 2, "cline": 1, "cmidrule": 1, "linespread": 1,
        "geometry": 1, "graphicspath": 1, "tag": 1, "captionsetup": 1, "usetikzlibrary": 1, "raisebox": 1,
        "fancyhead": 1, "fancyfoot": 1, "lhead": 1, "rhead": 1, "chead": 1, "lfoot": 1, "rfoot": 1, "cfoot": 1,
        "markboth": 2, "markright": 1, "bookmarksetup": 1, "setmainfont": 1, "setsansfont": 1, "setmonofont": 1,
        "newfontfamily": 2, "theoremstyle": 1, "fontfamily": 1, "fontseries": 1, "fontshape": 1, "enlargethispage": 1,
        "titleformat": 5, "titlespacing": 4, "makeatletter": 0, "date": 1, "affil": 1, "setstretch": 1,
    ]

    /// Commands whose argument is the name of a file that is not read.
    static let files: Set<String> = ["input", "include", "subfile", "subfileinclude", "import"]

    /// Commands whose argument stands for itself as a note.
    static let notes: Set<String> = ["footnote", "footnotetext", "endnote", "marginpar", "sidenote", "thanks"]

    /// Environments and the number of their arguments that say nothing.
    static let environmentArguments: [String: Int] = [
        "tabular": 1, "tabular*": 2, "tabularx": 2, "tabulary": 2, "longtable": 1, "array": 1, "tblr": 1,
        "multicols": 1, "minipage": 1, "adjustbox": 1, "wrapfigure": 2, "wraptable": 2, "list": 2, "minted": 1,
        "thebibliography": 1, "otherlanguage": 1, "otherlanguage*": 1, "filecontents": 1, "filecontents*": 1,
        "spacing": 1, "subfigure": 1, "subtable": 1, "alignat": 1, "alignat*": 1, "adjustwidth": 2,
    ]
    static let tables: Set<String> = ["tabular", "tabular*", "tabularx", "tabulary", "longtable", "array", "tblr"]
    static let lists: Set<String> = [
        "itemize", "enumerate", "description", "list", "trivlist", "compactitem", "compactenum", "inparaenum",
        "thebibliography",
    ]
    static let quotes: Set<String> = ["quote", "quotation", "displayquote", "epigraph"]
    static let formulas: Set<String> = [
        "equation", "equation*", "align", "align*", "gather", "gather*", "multline", "multline*", "eqnarray",
        "eqnarray*", "displaymath", "math", "flalign", "flalign*", "alignat", "alignat*",
    ]
    /// Environments that are pictures.
    static let pictures: Set<String> = ["tikzpicture", "picture", "pspicture", "axis", "forest"]
}
