// SPDX-License-Identifier: Apache-2.0

import EngineConfinement

/// The examination of what this kernel can enforce on engines.
enum KernelCheck {
    private static let subject = "kernel"

    static func findings(_ kernel: KernelFeatures = .current) -> [Finding] {
        let missing = Confinement().words(on: kernel).missing
        guard !missing.isEmpty else { return [.ok(subject, "confines engines in every way that they are to be")] }
        return missing.map {
            .note(subject, "engines are not kept from this: \($0)", do: "use a newer kernel, with Landlock and seccomp")
        }
    }
}
