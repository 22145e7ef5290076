// SPDX-License-Identifier: Apache-2.0

/// One requirement of the contract, as a check that runs in a process of its own.
public struct ConformanceCase: Sendable {
    /// The name, in the form `area.what`.
    public let name: String
    /// A description in one line.
    public let about: String
    /// The time in seconds after which the case counts as hung.
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

    /// All cases, in the order in which they run: a case that others rely on comes first.
    public static let all: [ConformanceCase] =
        ModuleCases.all + LifecycleCases.all + DescriptionCases.all + RenderCases.all + SeekCases.all + MarkCases.all
        + RateCases.all + VoiceCases.all + MeasureCases.all + CoverCases.all + PeakCases.all + RangeCases.all
        + CutCases.all
        + InterruptCases.all + ContentCases.all + ProcessCases.all
}

/// The engine and the report that a case works with.
struct CaseContext {
    let engine: EngineDescription
    let report: CaseReport

    /// Returns a newly created engine.
    func subject() throws(Finding) -> Subject {
        try Subject(EngineUnderTest(engine, report), report)
    }

    /// Calls `body` with each kind of content that the engine plays.
    func forEachMaterial(_ body: (Material) throws(Finding) -> Void) throws(Finding) {
        for material in try materials() { try body(material) }
    }

    /// Checks that a call on each track, made between two blocks, leaves rendering where it was.
    func expectAside(
        _ name: String, _ clause: Clause, _ call: (Subject, Int) throws(Finding) -> Void
    ) throws(Finding) {
        let subject = try subject()
        try forEachMaterial { (material) throws(Finding) in
            try subject.mustLoad(material)
            var place = try subject.nextBlock()
            for index in material.sources.indices {
                try call(subject, index)
                let next = try subject.nextBlock()
                // Between the words of a text there may be bytes that are not heard.
                let follows =
                    material.isAudio ? next.position == place.positionEnd : next.position >= place.positionEnd
                try expect(
                    next.track == place.track && follows || place.isTrackEnd,
                    "render after \(name) (track \(index))",
                    expected: "a block from unit \(place.positionEnd) of track \(place.track)",
                    came: next.place, clause)
                place = next
            }
        }
        subject.destroy()
    }

    /// Returns the materials for the engine, at least one.
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
