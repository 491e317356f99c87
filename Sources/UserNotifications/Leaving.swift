import Foundation
import Synchronization

/// What is done when the process ends by `exit` or by the end of its main function.
enum Leaving {
  private static let works = Mutex<[@Sendable () -> Void]>([])

  /// Adds work; it must be short, and hold nothing that is to be freed before.
  static func add(_ work: @escaping @Sendable () -> Void) {
    let isFirst = works.withLock { works in
      works.append(work)
      return works.count == 1
    }
    if isFirst {
      atexit { for work in Leaving.works.withLock({ $0 }) { work() } }
    }
  }
}
