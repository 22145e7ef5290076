// SPDX-License-Identifier: Apache-2.0

/// Cuts the words of a sentence into stretches that a voice says in one breath.
struct ClauseCutter {
    /// The most characters of one stretch.
    let limit: Int

    /// Calls a closure for each stretch of words, with how it ends.
    func stretches(of items: [SpokenWords.Item], each: (Range<Int>, SpokenWords.Cut) -> Void) {
        var start = 0
        while start < items.count {
            // A stretch ends at the latest where it must.
            var end = start
            var weight = 0
            while end < items.count {
                weight += items[end].weight
                end += 1
                if items[end - 1].cut >= .line { break }
            }
            cut(items, start..<end, weight, each)
            start = end
        }
    }

    private func cut(
        _ items: [SpokenWords.Item], _ range: Range<Int>, _ weight: Int, _ each: (Range<Int>, SpokenWords.Cut) -> Void
    ) {
        var start = range.lowerBound
        var rest = weight
        while rest > limit, start < range.upperBound {
            // Parts of about the same length sound better than a full one and a stump.
            let parts = (rest + limit - 1) / limit
            let goal = rest / parts
            var best: (end: Int, score: Int, weight: Int)?
            var end = start
            var taken = 0
            while end < range.upperBound {
                let item = items[end]
                if taken + item.weight > limit, best != nil || taken > 0 && items[end - 1].cut != .never { break }
                taken += item.weight
                end += 1
                guard item.cut != .never, end < range.upperBound else { continue }
                let score = Self.value(of: item.cut) - abs(taken - goal) * 100 / goal
                if best.map({ score >= $0.score }) ?? true { best = (end, score, taken) }
            }
            guard let best else { break }
            each(start..<best.end, items[best.end - 1].cut)
            start = best.end
            rest -= best.weight
        }
        guard start < range.upperBound else { return }
        each(start..<range.upperBound, items[range.upperBound - 1].cut)
    }

    /// Returns how far from the goal, in percent of it, a cut of this kind is worth going.
    private static func value(of cut: SpokenWords.Cut) -> Int {
        switch cut {
        case .never: -1000
        case .space: 0
        case .conjunction: 35
        case .comma: 60
        case .colon: 80
        case .line, .language: 1000
        }
    }
}
