// SPDX-License-Identifier: Apache-2.0

extension TextDocument {
    /// Returns the index of the page on which a byte of the text stands; `nil` before the first one, or if there are none.
    public func pageIndex(at position: Int64) -> Int? {
        var low = 0
        var high = pages.count
        while low < high {
            let middle = (low + high) / 2
            if pages[middle].start <= position { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }

    /// Returns the first page of this number, as it is printed; capitals do not matter if no page has them.
    public func page(labelled label: String) -> Page? {
        if let page = pages.first(where: { $0.label == label }) { return page }
        let lower = label.lowercased()
        return pages.first { $0.label.lowercased() == lower }
    }

    /// Returns the end of a line that says which pages a document of a title has.
    public func pageExtent(of title: String) -> String {
        guard let first = pages.first, let last = pages.last else { return "“\(title)” does not say its pages" }
        return "“\(title)” has pages \(first.label) to \(last.label)"
    }
}
