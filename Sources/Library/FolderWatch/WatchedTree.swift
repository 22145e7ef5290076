// SPDX-License-Identifier: Apache-2.0

/// The folders that the kernel watches, by the numbers of their watches.
struct WatchedTree {
    private struct Node {
        var parent: Int32?
        /// The whole path for the root, otherwise the name in the parent.
        var name: [UInt8]
        var children: [[UInt8]: Int32] = [:]
        var level: Int
    }

    private var nodes: [Int32: Node] = [:]

    var count: Int { nodes.count }

    func has(_ watch: Int32) -> Bool { nodes[watch] != nil }

    func isRoot(_ watch: Int32) -> Bool { nodes[watch].map { $0.parent == nil } ?? false }

    /// Returns how far below the root a folder is.
    func level(of watch: Int32) -> Int { nodes[watch]?.level ?? 0 }

    mutating func addRoot(_ watch: Int32, _ path: WatchedPath) {
        nodes[watch] = Node(parent: nil, name: path, level: 0)
    }

    mutating func add(_ watch: Int32, name: [UInt8], in parent: Int32) {
        guard let level = nodes[parent]?.level else { return }
        nodes[parent]?.children[name] = watch
        nodes[watch] = Node(parent: parent, name: name, level: level &+ 1)
    }

    /// Returns the path of a folder.
    func path(of watch: Int32) -> WatchedPath? {
        var names: [[UInt8]] = []
        var next: Int32? = watch
        while let current = next {
            guard let node = nodes[current] else { return nil }
            names.append(node.name)
            next = node.parent
        }
        guard var path = names.popLast() else { return nil }
        while let name = names.popLast() { path = path.child(name) }
        return path
    }

    /// Removes a folder with all below it.
    ///
    /// - Returns: The watches of these folders.
    mutating func remove(_ name: [UInt8], in parent: Int32) -> [Int32] {
        guard let watch = nodes[parent]?.children.removeValue(forKey: name) else { return [] }
        var removed: [Int32] = []
        var rest = [watch]
        while let next = rest.popLast() {
            guard let node = nodes.removeValue(forKey: next) else { continue }
            removed.append(next)
            rest += node.children.values
        }
        return removed
    }

    /// Removes a folder whose watch has ended, with all below it.
    mutating func remove(_ watch: Int32) -> [Int32] {
        guard let node = nodes[watch], let parent = node.parent else { return [] }
        return remove(node.name, in: parent)
    }
}
