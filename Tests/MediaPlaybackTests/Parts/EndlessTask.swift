// SPDX-License-Identifier: Apache-2.0

extension Task<Void, Never> {
    /// Returns a task that ends only when it is cancelled.
    static func endless() -> Self {
        Task { try? await Task<Never, Never>.sleep(for: .seconds(3600)) }
    }
}
