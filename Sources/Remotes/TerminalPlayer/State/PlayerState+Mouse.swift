// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

// What the listener points at.
extension PlayerState {
    mutating func press(_ row: Int, _ column: Int, _ now: Int64) -> [PlayerEffect] {
        message = nil
        guard let (target, fraction) = frame(now: now).target(row, column), overlay == nil || target.isOfOverlay else {
            overlay = nil
            return []
        }
        switch target {
        case .page(let page): return show(page)
        case .action(let action): return perform(action, now)
        case .bar(let start, let end): return seek(to: start + Int64(Double(end - start) * fraction), now)
        case .chapter(let index):
            lists.chapters.index = index
            return go(toChapter: index, now) ?? []
        case .book(let index):
            // The first press selects, the second plays.
            guard lists.books.shown.indices.contains(index) else { return [] }
            let isSecond = lists.books.pressed == lists.books.shown[index].id
            lists.books.pressed = lists.books.shown[index].id
            lists.books.selection.index = index
            return isSecond ? choose(now) : []
        case .clip(let index):
            // The first press selects, the second opens.
            let isSecond = lists.clips.selection.index == index
            lists.clips.selection.index = index
            return isSecond ? choose(now) : []
        case .document(let index):
            // The first press selects, the second reads.
            let isSecond = lists.documents.selection.index == index
            lists.documents.selection.index = index
            return isSecond ? choose(now) : []
        case .jump(let index): lists.jumps.index = index
        case .engine(let index): lists.engine.index = index
        case .sleep(let index):
            overlay = nil
            return sleepRows.indices.contains(index) ? [.send(.sleep(sleepRows[index].value), .control)] : []
        case .text(let line, let left): return readText(inLine: line, atColumn: column - left)
        case .button(let button):
            guard var sofa else { return [] }
            sofa.button = button
            self.sofa = sofa
            return handle(.enter, now)
        }
        return []
    }
}
