// SPDX-License-Identifier: Apache-2.0

public import JSON

/// The answer to `/status`.
public struct StatusAnswer: ServerValue {
    /// `audiobookshelf`; older versions do not say it.
    public var app: String?
    public var version: String?
    /// `false` before the first user exists.
    public var isInitialised: Bool
    public var language: String?
    /// `local` and `openid` are known.
    public var authMethods: [String]
    /// What the login page says, which may be HTML.
    public var loginMessage: String?

    public init?(_ json: JSONValue) {
        guard case .object = json, json["app"] != nil || json["isInit"] != nil else { return nil }
        app = json.words("app")
        version = json.words("serverVersion")
        isInitialised = json.flag("isInit") ?? true
        language = json.words("language")
        authMethods = json.list(of: "authMethods")
        loginMessage = json.member("authFormData")?.words("authLoginCustomMessage", limit: AnswerLimits.text)
    }

    /// Returns `true` if the server is one of audiobookshelf and a password can be used.
    public var hasPasswordLogin: Bool { authMethods.isEmpty || authMethods.contains("local") }
}
