// SPDX-License-Identifier: Apache-2.0

/// One thing that the contract asks of an engine, as a check that runs in a process of its own.
public struct ConformanceCase: Sendable {
    /// `area.what`.
    public let name: String
    /// One line.
    public let about: String
    /// Seconds after which it counts as hung.
    let deadline: Double
    let run: @Sendable (CaseContext) throws(Finding) -> Void

    init(
        _ name: String, _ about: String, deadline: Double = 20,
        _ run: @escaping @Sendable (CaseContext) throws(Finding) -> Void
    ) {
        self.name = name
        self.about = about
        self.deadline = deadline
        self.run = run
    }

    /// All of them, in the order in which they are run: what others rely on comes first.
    public static let all: [ConformanceCase] =
        ModuleCases.all + LifecycleCases.all + DescriptionCases.all + RenderCases.all + SeekCases.all + MarkCases.all
        + RateCases.all + VoiceCases.all + MeasureCases.all + CoverCases.all + RangeCases.all + InterruptCases.all
        + ContentCases.all + ProcessCases.all
}

/// What a case works on.
struct CaseContext {
    let engine: EngineDescription
    let report: CaseReport

    /// The engine, created.
    func subject() throws(Finding) -> Subject {
        try Subject(EngineUnderTest(engine, report), report)
    }

    /// Runs `body` with each kind of content that the engine plays.
    func forEachMaterial(_ body: (Material) throws(Finding) -> Void) throws(Finding) {
        for material in try materials() { try body(material) }
    }

    /// At least one.
    func materials() throws(Finding) -> [Material] {
        let all = Material.all(for: engine)
        guard !all.isEmpty else {
            throw .skip("the manifest lists neither wav nor txt among its extensions: give a file with --content")
        }
        return all
    }

    func materials(of kind: UInt32, _ what: String) throws(Finding) -> [Material] {
        let all = try materials().filter { $0.kind == kind }
        guard !all.isEmpty else { throw .skip("the engine plays no \(what)") }
        return all
    }
}
