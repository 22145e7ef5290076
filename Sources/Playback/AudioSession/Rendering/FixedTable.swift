// SPDX-License-Identifier: Apache-2.0

/// A queue of plain values that never grows; the render path keeps its records in it.
final class FixedTable<Element: BitwiseCopyable> {
    private let storage: UnsafeMutablePointer<Element>
    private let capacity: Int
    private var first = 0
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
    }

    deinit {
        storage.deallocate()
    }

    var isFull: Bool { count == capacity }

    subscript(index: Int) -> Element {
        get { storage[(first + index) % capacity] }
        set { storage[(first + index) % capacity] = newValue }
    }

    var last: Element? {
        get { count == 0 ? nil : self[count - 1] }
    }

    /// Appends a value, and drops the oldest one if there is no room.
    func append(_ element: Element) {
        if isFull { removeFirst() }
        count += 1
        self[count - 1] = element
    }

    func removeFirst() {
        guard count > 0 else { return }
        first = (first + 1) % capacity
        count -= 1
    }

    func removeLast() {
        if count > 0 { count -= 1 }
    }

    func removeAll() {
        count = 0
    }
}
