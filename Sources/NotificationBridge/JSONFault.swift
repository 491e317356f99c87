/// Says what is wrong with a text that was to be a JSON object, for people.
public enum JSONFault {
  /// - Parameter bytes: what could not be read.
  /// - Returns: where it is wrong and what was expected there, or what of it cannot be kept; no full stop.
  public static func reason(_ bytes: [UInt8]) -> String {
    do throws(BridgeError) {
      var reader = try PayloadReader(bytes, fault: "it is no JSON object")
      _ = try reader.object()
      return reader.notes.first ?? "it is no JSON object"
    } catch {
      return error.message
    }
  }
}
