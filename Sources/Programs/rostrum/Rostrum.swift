import ArgumentParser
import FoundationEssentials

struct S: Codable { var a: Int; var b: [String: String] }

@main
struct Rostrum: ParsableCommand {
    @Flag var json = false
    mutating func run() throws {
        if json { print(try JSONDecoder().decode(S.self, from: Data(#"{"a":1,"b":{"x":"y"}}"#.utf8)).a) }
        print("hello")
    }
}
