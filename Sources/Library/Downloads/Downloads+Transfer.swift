// SPDX-License-Identifier: Apache-2.0

import Glibc
import HTTPExchange

/// Fetching the files of one item.
extension Downloads {
    /// The bytes after which a draft is brought to the disk and the room is looked at again.
    private static let step: Int64 = 8 << 20
    private static let largestCover: Int64 = 20 << 20
    /// The most bytes of a file of which the server does not say how long it is.
    private static let largestFile: Int64 = 1 << 40
    /// The most times that a file may be another one at the server before that is a fault.
    private static let mostChanges = 3

    /// Makes an item downloaded.
    func fetch(_ item: String) async throws(DownloadFault) {
        guard let source = await source(of: item)?.source else {
            throw DownloadFault(.unsupported, "\(item): no server that has this is known; see `rostrum server list`")
        }
        try change(item) { ($0.state, $0.reason) = (.downloading, nil) }
        var plan = try await take(up: item, from: source)
        try await makeRoom(for: item)
        await fetchCover(plan.cover, of: item, from: source)
        var index = 0
        while index < plan.files.count {
            let download = try change(item) { _ in }
            guard download.files.indices.contains(index) else { break }
            guard !download.files[index].isComplete else {
                index += 1
                continue
            }
            do throws(DownloadFault) {
                try await fetch(plan.files[index], at: index, of: item, from: source)
                index += 1
            } catch {
                // Its address, or the file itself, may be another one since the item was looked up.
                guard error.reason == .gone || error.reason == .length else { throw error }
                let next = try await take(up: item, from: source)
                guard next != plan else { throw error }
                plan = next
                index = 0
            }
        }
        try await checkFiles(of: item)
        guard let place = entries.firstIndex(where: { $0.item == item && $0.state != .removing }) else { return }
        // It is told when it is written down.
        (entries[place].state, entries[place].reason) = (.downloaded, nil)
        entries[place].downloadedAt = parts.now()
    }

    /// Asks what the files of an item are and gives it its folder.
    private func take(up item: String, from source: any DownloadSource) async throws(DownloadFault) -> DownloadPlan {
        let plan = try await source.plan(item)
        guard !plan.files.isEmpty else {
            throw DownloadFault(.unsupported, "\(plan.title): it has no files that can be played")
        }
        guard Set(plan.files.map(\.relPath)).count == plan.files.count else {
            throw DownloadFault(.unsupported, "\(plan.title): the server names a file twice")
        }
        var unwanted: [String] = []
        var download = try change(item) { unwanted = $0.adopt(plan) }
        let (folder, boot, names) = (folder, boot, unwanted)
        let isNew = download.folder == nil
        download = try await onDisk { [download] () throws(DownloadFault) in
            var download = download
            if download.folder == nil {
                try DiskFile.makeFolder(folder.root)
                try folder.claim(&download)
            } else {
                try DiskFile.makeFolder(folder.path(of: download) ?? folder.root)
                try folder.remove(names, of: download)
            }
            folder.reconcile(&download, boot: boot)
            try folder.save(download)
            return download
        }
        try change(item) { $0 = download }
        if isNew { try await trySaveIndex() }
        return plan
    }

    private func makeRoom(for item: String) async throws(DownloadFault) {
        let download = try change(item) { _ in }
        let missing = download.files.reduce(Int64(0)) { sum, file in
            sum.clampingAdd(max(0, (file.size ?? 0) - file.bytes))
        }
        try await checkRoom(for: missing, download.title)
    }

    private func checkRoom(for bytes: Int64, _ title: String) async throws(DownloadFault) {
        let (folder, reserve) = (folder, parts.reserve)
        guard let room = try await onDisk({ () throws(DownloadFault) in folder.room() }) else { return }
        guard room < bytes.clampingAdd(reserve) else { return }
        throw DownloadFault(
            .full,
            "\(title): \(bytes >> 20) MB are missing and \(room >> 20) MB are free; make room, and download it again")
    }

    // MARK: The cover

    /// Fetches the picture; that there is none, or that it fails, keeps nothing from being downloaded.
    private func fetchCover(
        _ cover: DownloadPlan.File?, of item: String, from source: any DownloadSource
    ) async {
        guard let cover, let download = try? change(item, { _ in }), download.cover == nil,
            let path = folder.path(of: download)
        else { return }
        do throws(DownloadFault) {
            var request = try await source.request(for: cover, of: item, refused: nil)
            request.mostBytes = Self.largestCover
            let answer: HTTPAnswer
            do throws(HTTPFailure) { answer = try await parts.transport.send(request) } catch {
                throw DownloadFault(error, cover.relPath)
            }
            let kinds = ["image/jpeg": ".jpg", "image/png": ".png", "image/webp": ".webp", "image/gif": ".gif"]
            let type = answer.value("Content-Type")?.split(separator: ";").first.map { $0.lowercased() } ?? ""
            guard answer.status == 200, !answer.body.isEmpty, let ending = kinds[type] else { return }
            let name = "cover" + ending
            try change(item) { $0.cover = name }
            let (saved, folder) = (try change(item) { _ in }, folder)
            try await onDisk { () throws(DownloadFault) in
                try folder.save(saved)
                try DiskFile.replace("\(path)/\(name)", with: answer.body)
            }
        } catch {}
    }

    // MARK: A file

    /// Fetches what is missing of one file and gives it its name.
    private func fetch(
        _ wanted: DownloadPlan.File, at index: Int, of item: String, from source: any DownloadSource
    ) async throws(DownloadFault) {
        var (refused, changes) = (HTTPRequest?.none, 0)
        while true {
            let request = try await source.request(for: wanted, of: item, refused: refused)
            do throws(DownloadFault) {
                if try await transfer(request, wanted, at: index, of: item) { return }
                changes += 1
                guard changes < Self.mostChanges else {
                    throw DownloadFault(.away, "\(wanted.relPath): the file keeps changing at the server")
                }
                refused = nil
            } catch {
                guard error.reason == .refused, refused == nil else { throw error }
                refused = request
            }
        }
    }

    /// Makes one attempt at a file.
    ///
    /// - Returns: `false` if what was there turned out to be of another version: the file starts over.
    private func transfer(
        _ request: HTTPRequest, _ wanted: DownloadPlan.File, at index: Int, of item: String
    ) async throws(DownloadFault) -> Bool {
        // The version is known, and written down, before any byte of it: only then can a draft be continued.
        let version = try await version(request, wanted, of: item)
        if let total = version.total, let size = wanted.size, total != size {
            throw DownloadFault(
                .length, "\(wanted.relPath): the server says \(size) bytes, and has \(total); scan its library again")
        }
        var download = try change(item) { download in
            if download.files[index].tag != version.tag || version.tag == nil { download.files[index].startOver() }
            download.files[index].tag = version.tag
            download.files[index].boot = boot
        }
        let folder = folder
        guard let draft = folder.draft(of: download.files[index], in: download),
            let path = folder.path(of: download.files[index], in: download)
        else { throw DownloadFault(.disk, "\(wanted.relPath): it has no folder") }
        let asked = download.files[index].bytes
        let file = try await onDisk { [download] () throws(DownloadFault) in
            try folder.save(download)
            return try DiskFile.openDraft(draft, bytes: asked)
        }
        defer { close(file) }
        var tag = version.tag
        var total = version.total
        if total == nil || asked < total ?? 0 || asked == 0 {
            var rest = PartialAnswer.request(request, from: asked, tag: version.tag)
            rest.mostBytes = total ?? Self.largestFile
            let answer = try await write(rest, into: file, wanted, at: index, of: item)
            let partial = PartialAnswer(answer, asked: asked, tag: version.tag)
            switch partial.meaning {
            case .changed:
                try change(item) { $0.files[index].startOver() }
                return false
            case .nothingMissing: break
            case .taken(let length):
                total = length ?? (answer.status == 200 ? nil : total)
                tag = partial.tag ?? tag
                if answer.status == 200, let length { ftruncate(file, off_t(length)) }
            }
        }
        let length = DiskFile.length(file)
        guard total == nil || length == total else {
            // More than there should be is of no use; less is continued.
            if length > total ?? 0 { try change(item) { $0.files[index].startOver() } }
            throw DownloadFault(.away, "\(wanted.relPath): \(length) of \(total ?? 0) bytes came")
        }
        guard wanted.size == nil || length == wanted.size else {
            try change(item) { $0.files[index].startOver() }
            throw DownloadFault(
                .length, "\(wanted.relPath): the server says \(wanted.size ?? 0) bytes, and sent \(length)")
        }
        download = try change(item) { download in
            download.files[index].size = length
            download.files[index].bytes = length
            download.files[index].tag = tag
        }
        try await onDisk { [download] () throws(DownloadFault) in
            // Its size is written down first: a file with a name and that size is complete, whenever the kill comes.
            try folder.save(download)
            try DiskFile.finish(file, draft, as: path)
        }
        download = try change(item) { $0.files[index].isComplete = true }
        await save(download)
        return true
    }

    /// Asks for the version and the length of a file; a server that cannot say is asked for its first byte.
    private func version(
        _ request: HTTPRequest, _ wanted: DownloadPlan.File, of item: String
    ) async throws(DownloadFault) -> (tag: String?, total: Int64?) {
        var head = request
        head.method = .head
        head.fields.append(HTTPField("Accept-Encoding", "identity"))
        var answer = try await send(head, wanted, of: item)
        if [400, 404, 405, 501].contains(answer.status), request.method == .get {
            var first = request
            first.fields += [HTTPField("Accept-Encoding", "identity"), HTTPField("Range", "bytes=0-0")]
            first.mostBytes = 1 << 16
            do throws(DownloadFault) {
                answer = try await send(first, wanted, of: item)
            } catch {
                // It has no ranges either, and sent the whole file.
                guard error.reason == .length else { throw error }
                return (nil, nil)
            }
        }
        if let fault = DownloadFault(status: answer, wanted.relPath) { throw fault }
        let partial = PartialAnswer(answer, asked: 0, tag: nil)
        guard case .taken(let total) = partial.meaning else { return (nil, nil) }
        // A length of 0 in the answer to HEAD is what servers say that do not know.
        return (partial.tag, total == 0 ? nil : total)
    }

    private func send(
        _ request: HTTPRequest, _ wanted: DownloadPlan.File, of item: String
    ) async throws(DownloadFault) -> HTTPAnswer {
        do throws(HTTPFailure) {
            let answer = try await parts.transport.send(request)
            return answer
        } catch {
            throw DownloadFault(error, wanted.relPath)
        }
    }

    /// Writes what comes into a draft, and follows how far it is.
    private func write(
        _ request: HTTPRequest, into file: Int32, _ wanted: DownloadPlan.File, at index: Int, of item: String
    ) async throws(DownloadFault) -> HTTPAnswer {
        let (marks, mark) = AsyncStream.makeStream(of: Int64.self, bufferingPolicy: .bufferingNewest(1))
        let transport = parts.transport
        let transfer = Task {
            let result: Result<HTTPAnswer, HTTPFailure>
            do throws(HTTPFailure) {
                result = .success(try await transport.fetch(request, into: file) { mark.yield($0) })
            } catch { result = .failure(error) }
            mark.finish()
            return result
        }
        let stopped = await withTaskCancellationHandler {
            var stopped: DownloadFault?
            for await bytes in marks {
                stopped = await follow(bytes, file, at: index, of: item)
                if stopped != nil { break }
            }
            if stopped != nil { transfer.cancel() }
            return stopped
        } onCancel: {
            transfer.cancel()
        }
        let result = await transfer.value
        let length = DiskFile.length(file)
        _ = try? change(item) { download in
            guard download.files.indices.contains(index) else { return }
            download.files[index].bytes = download.files[index].tag == nil ? 0 : length
        }
        if let stopped { throw stopped }
        if Task.isCancelled { throw DownloadFault(.cancelled, "\(wanted.relPath): cancelled") }
        switch result {
        case .success(let answer):
            if answer.status != 416, let fault = DownloadFault(status: answer, wanted.relPath) { throw fault }
            return answer
        case .failure(let failure): throw DownloadFault(failure, wanted.relPath)
        }
    }

    /// Notes how far a draft is; from time to time it is brought to the disk, and the room is looked at.
    private func follow(_ bytes: Int64, _ file: Int32, at index: Int, of item: String) async -> DownloadFault? {
        do throws(DownloadFault) {
            let download = try change(item) { $0.files[index].bytes = max(0, bytes) }
            answered(by: download.server)
            guard bytes - download.files[index].synced >= Self.step else { return nil }
            try await onDisk { () throws(DownloadFault) in
                guard fdatasync(file) == 0 else { throw DiskFile.fault(download.title) }
            }
            let synced = try change(item) { $0.files[index].synced = bytes }
            await save(synced)
            try await checkRoom(for: 0, download.title)
            return nil
        } catch { return error }
    }

    // MARK: The check

    /// Decodes the ends of each file that was not looked at yet.
    private func checkFiles(of item: String) async throws(DownloadFault) {
        let count = try change(item) { _ in }.files.count
        for index in 0..<count {
            let download = try change(item) { _ in }
            guard download.files.indices.contains(index), !download.files[index].isPlayable,
                let path = folder.path(of: download.files[index], in: download)
            else { continue }
            switch await parts.check.check(path) {
            case .plays: await save(try change(item) { $0.files[index].isPlayable = true })
            case .unknown(let why): throw DownloadFault(.unplayable, "\(path) cannot be checked: \(why)")
            case .broken(let why):
                if let place = entries.firstIndex(where: { $0.item == item }) {
                    await condemn([download.files[index].name], at: place)
                }
                throw DownloadFault(.unplayable, "\(path) does not play: \(why); download it again")
            }
        }
    }
}
