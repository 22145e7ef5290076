// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import Downloads
import MediaPlayback
import PlaybackCore
import SettingsFile

extension PlaybackService {
    /// The client that stands for downloads: the session stays while something is being fetched.
    private static let downloadsClient = ClientID(rawValue: .max)

    /// Goes on with what is to be downloaded, and follows it.
    func follow(_ downloads: Downloads, rules: KeepRules) async {
        keepRules = rules
        await downloads.observe(
            change: { [weak self] _ in Task { await self?.considerDownloads() } },
            downloaded: { [weak self] download in Task { await self?.noteDownloaded(download) } })
        Task {
            await downloads.start()
            await considerDownloads()
            await tidyDownloads()
        }
    }

    /// Keeps the session while something is fetched; it does not stay for a server that is away.
    private func considerDownloads() async {
        let isBusy = await downloads.downloads.isBusy
        guard isBusy != isDownloading else { return }
        isDownloading = isBusy
        lifetime.watch(Self.downloadsClient, isBusy)
    }

    /// Carries on with an item that is downloaded now: what rules do not keep makes room for it.
    private func noteDownloaded(_ download: Download) async { await tidyDownloads() }

    /// Notes which item is loaded: one that was heard to its end may go once another takes its place.
    func noteLoaded(_ uri: String?) {
        guard uri != loadedItem else { return }
        loadedItem = uri
        guard keepRules.removesFinished else { return }
        Task { await tidyDownloads() }
    }

    /// Removes the downloads that the settings do not keep.
    private func tidyDownloads() async {
        let inUse = await controller.show { $0.state.current?.item.uri }
        await downloads.tidy(keepRules, inUse: Set([inUse].compactMap(\.self)))
    }
}

extension KeepRules {
    init(_ settings: Settings) {
        self.init(removesFinished: settings.removesFinishedDownloads, newestOfSeries: settings.keptEpisodes)
    }
}
