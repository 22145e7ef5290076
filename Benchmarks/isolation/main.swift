// SPDX-License-Identifier: Apache-2.0

import EngineBridge
import Foundation

/// Returns the value of an option.
///
/// The program is run as IsolationBenchmark BUILD_DIR FILE [--speed N] [--repetitions N] [--commands N]; see
/// `isolation.sh`.
func option(_ name: String, _ standard: Int) -> Int {
    guard let index = CommandLine.arguments.firstIndex(of: name), index + 1 < CommandLine.arguments.count else {
        return standard
    }
    return max(1, Int(CommandLine.arguments[index + 1]) ?? standard)
}

guard CommandLine.arguments.count >= 3 else {
    print("usage: IsolationBenchmark BUILD_DIR FILE [--speed N] [--repetitions N] [--commands N]")
    exit(64)
}
let build = CommandLine.arguments[1]
let speed = option("--speed", 20)
let repetitions = option("--repetitions", 7)
let commands = option("--commands", 300)
do {
    let bench = Bench(
        module: build + "/libFFmpegEngine.so", runner: build + "/rostrum-engine-runner", file: CommandLine.arguments[2],
        reactor: try EngineReactor())
    let rows =
        try await bench.latencies(commands: commands, loads: max(1, commands / 3), starts: 15)
        + bench.costs(rates: [1, 2], repetitions: repetitions, speed: Double(speed))
    print("| what | times | in-process | isolated | added | asked for: 2 ms, 5 % |")
    print("|---|---|---|---|---|---|")
    for row in rows { print(row.row) }
    print("median (5 to 95 % of commands; least to most of the processor); a clock \(speed) times as fast")
    exit(rows.allSatisfy { !$0.isJudged || $0.isKept } ? 0 : 1)
} catch {
    print("isolation: \(error)")
    exit(70)
}
