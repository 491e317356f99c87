internal import BridgeStore
internal import DBus
internal import Dispatch
internal import Glibc
internal import NotificationBridge
internal import Synchronization

/// Takes the files of requests into the bridge's store, away from the bus and the engine, one request after the other.
final class AttachmentStage: Sendable {
  private let store: AttachmentStore
  private let queue = DispatchQueue(label: "notify-bridged.attachments")
  /// There may be files.
  private let hasStaged = Atomic(false)
  private let isPlanned = Atomic(false)

  init(_ store: AttachmentStore) { self.store = store }

  /// - Parameter files: an open file for each record.
  func stage(
    _ records: [AttachmentRecord], _ files: [OwnedDescriptor?],
    _ answer: @escaping @Sendable (Result<[AttachmentRecord], BridgeError>) -> Void
  ) {
    hasStaged.store(true, ordering: .relaxed)
    queue.async { [self] in
      do throws(BridgeError) {
        var staged: [AttachmentRecord] = []
        for (index, record) in records.enumerated() {
          guard files.indices.contains(index), let file = files[index] else {
            throw BridgeError(.attachmentInvalidURL, "\(record.path.quotedForPeople) came without a descriptor")
          }
          staged.append(try take(record, file.rawValue))
        }
        answer(.success(staged))
      } catch {
        answer(.failure(error))
      }
    }
  }

  private func take(_ record: AttachmentRecord, _ file: Int32) throws(BridgeError) -> AttachmentRecord {
    var record = record
    var head = [UInt8](repeating: 0, count: 32)
    let count = unsafe head.withUnsafeMutableBytes { unsafe pread(file, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else {
      throw BridgeError(.attachmentUnreadable, "\(record.path.quotedForPeople) cannot be read")
    }
    // What it is counts, and not what its sender calls it; a type that cannot be seen in it is taken at its word.
    head = Array(head.prefix(count))
    let said = AttachmentType(identifier: record.type)
    guard let type = said?.refined(by: head) ?? AttachmentType(sniffing: head) else {
      throw BridgeError(
        .attachmentUnrecognizedType,
        "\(record.path.quotedForPeople) is of no type that can be attached: \(record.type.quotedForPeople)")
    }
    record.type = type.identifier
    record.path = try store.take(file, limit: type.sizeLimit, fileExtension: type.fileExtension, durably: true)
    return record
  }

  /// Frees the files that nothing needs any more: now, what a crash left, and from now on a while after a notification
  /// with files came to its end.
  func serve(_ engine: BridgeEngine, _ executor: BusExecutor) {
    engine.enqueue { [self] engine in
      if let paths = engine.attachmentsInUse() {
        if !paths.isEmpty { hasStaged.store(true, ordering: .relaxed) }
        collect(keeping: paths, all: true)
      }
      engine.observe { [self] records in
        let ends = records.contains { record in
          switch record.event {
          case .added, .delivered, .handled, .uncertain, .repeated: false
          default: true
          }
        }
        guard ends, hasStaged.load(ordering: .relaxed), !isPlanned.exchange(true, ordering: .relaxed) else { return }
        // Young files stay, since their requests may be on the way; so it is done when none of now is young.
        executor.perform(after: .seconds(65)) { [self] in
          isPlanned.store(false, ordering: .relaxed)
          engine.enqueue { [self] in if let paths = $0.attachmentsInUse() { collect(keeping: paths, all: false) } }
        }
      }
    }
  }

  private func collect(keeping paths: Set<String>, all: Bool) {
    queue.async { [store] in _ = all ? store.collect(keeping: paths, olderThan: .zero) : store.collect(keeping: paths) }
  }
}
