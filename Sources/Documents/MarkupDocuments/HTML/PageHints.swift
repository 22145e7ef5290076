// SPDX-License-Identifier: Apache-2.0

/// The signs in an element's names and attributes that it belongs to the article, or does not.
enum PageHints {
    enum Verdict { case content, neutral, aside, out }

    static func verdict(_ tree: MarkupTree, _ index: Int) -> Verdict {
        let name = tree.name(index)
        switch name {
        case "nav", "dialog", "noscript", "menu", "search": return .out
        case "article", "main": return .content
        case "html", "body", "head": return .neutral
        default: break
        }
        var words: [String] = []
        for attribute in tree.attributes[tree.nodes[index].attributes] {
            switch attribute.name {
            case "role":
                switch attribute.value.lowercased() {
                case "navigation", "menu", "menubar", "banner", "contentinfo", "search", "dialog", "alertdialog",
                    "alert",
                    "complementary", "toolbar", "tablist", "tooltip", "status", "button", "switch", "slider",
                    "progressbar":
                    return .out
                case "main", "article": return .content
                default: break
                }
            case "itemprop": if attribute.value == "articleBody" { return .content }
            case "class", "id": words += ElementHints.words(attribute.value)
            case "aria-label": if attribute.value.lowercased().contains("breadcrumb") { return .out }
            default: break
            }
        }
        // The notices of a wiki's editors have "content" in their names as well.
        if words.contains("ambox") { return .out }
        let isOut = words.contains { out.contains($0) } || hasPair(words)
        let isContent = words.contains { content.contains($0) }
        if isOut { return isContent ? .neutral : .out }
        if name == "footer" || name == "aside" || name == "form" { return isContent ? .neutral : .aside }
        if words.contains(where: { aside.contains($0) }) { return isContent ? .neutral : .aside }
        if name == "header" { return .aside }
        return isContent ? .content : .neutral
    }

    private static func hasPair(_ words: [String]) -> Bool {
        zip(words, words.dropFirst()).contains { pairs[$0.0]?.contains($0.1) == true }
    }

    /// Words of what is no part of an article.
    private static let out: Set<String> = [
        "cookie", "cookies", "consent", "gdpr", "breadcrumb", "breadcrumbs", "disqus", "sharing", "sharebar", "share",
        "newsletter", "subscribe", "subscription", "advert", "advertisement", "ads", "adsense", "sponsor", "sponsored",
        "popup",
        "modal", "overlay", "pager", "pagination", "paginator", "toolbar", "navbar", "navbox", "navigation", "nav",
        "menu",
        "submenu", "sidebar", "skip", "skiplink", "editsection", "catlinks", "printfooter", "noprint", "masthead",
        "promo",
        "promotion", "related", "recommended", "recommendations", "outbrain", "taboola", "signup", "login", "paywall",
        "screenreader", "comments", "commentlist", "respond", "jumplinks", "hatnote", "toc", "tabs", "tags", "tagcloud",
        "widget", "widgets", "dropdown", "tooltip", "sitemap", "languages", "metadata", "authority",
    ]
    private static let pairs: [String: Set<String>] = [
        "sr": ["only"], "screen": ["reader"], "visually": ["hidden"], "site": ["header", "footer", "notice", "sub"],
        "page": ["footer"], "global": ["header", "footer"], "social": ["media", "links", "share", "icons", "bar"],
        "read": ["more", "next"], "more": ["stories", "from"], "see": ["also"], "edit": ["link"],
        "ad": ["slot", "unit", "container"],
        "comment": ["list", "form", "section", "area"], "jump": ["to"], "contents": ["list"],
        "mw": ["jump", "indicators"],
        "vertical": ["navbox"], "no": ["print"], "side": ["bar"], "nav": ["bar"], "catlinks": ["allhidden"],
    ]
    /// Words of what often is none.
    private static let aside: Set<String> = [
        "footer", "foot", "header", "banner", "social", "comment", "meta", "author", "byline", "bio", "caption",
        "infobox",
        "message", "notice", "links", "list", "teaser", "aside", "extra", "utility", "search", "form", "copyright",
        "legal",
        "download",
    ]
    private static let content: Set<String> = [
        "article", "body", "content", "main", "entry", "post", "story", "text", "column", "blog", "hentry", "chapter",
    ]
}
