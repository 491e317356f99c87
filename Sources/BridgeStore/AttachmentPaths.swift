public import NotificationBridge

extension SQLiteStore {
  /// The paths of all attachments of what is kept, for ``AttachmentStore/collect(keeping:olderThan:)``. Reads no
  /// request that has none.
  /// - Throws: ``BridgeError`` with code `store`.
  public func attachmentPaths() throws(BridgeError) -> Set<String> {
    try withSession { session throws(BridgeError) in try session.attachmentPaths() }
  }
}

extension Session {
  /// See ``SQLiteStore/attachmentPaths()``.
  func attachmentPaths() throws(BridgeError) -> Set<String> {
    var paths: Set<String> = []
    for (table, column) in [
      ("pending_request", "request"), ("queued", "request"), ("delivered", "request"), ("response", "response"),
    ] {
      // As JSONWriter writes it; in a text the quotation marks would be escaped.
      try each(table, "SELECT id, \(column) FROM \(table) WHERE instr(\(column), '\"attachments\":[') > 0") {
        row throws(BridgeError) in
        let request: RequestRecord
        if column == "response" {
          let response: ResponseRecord = try row.record(1, column)
          request = response.notification.request
        } else {
          request = try row.record(1, column)
        }
        paths.formUnion(request.content.attachments.map(\.path))
      }
    }
    return paths
  }
}
