import Foundation
import Testing

@testable import UserNotifications

@Suite struct ErrorTests {
  @Test func codesHaveApplesNumbers() {
    let codes: [(UNError.Code, Int)] = [
      (UNError.notificationsNotAllowed, 1), (UNError.attachmentInvalidURL, 100),
      (UNError.attachmentUnrecognizedType, 101), (UNError.attachmentInvalidFileSize, 102),
      (UNError.attachmentNotInDataStore, 103), (UNError.attachmentMoveIntoDataStoreFailed, 104),
      (UNError.attachmentCorrupt, 105), (UNError.notificationInvalidNoDate, 1400),
      (UNError.notificationInvalidNoContent, 1401), (UNError.contentProvidingObjectNotAllowed, 1500),
      (UNError.contentProvidingInvalid, 1501), (UNError.badgeInputInvalid, 1600),
    ]
    for (code, number) in codes {
      #expect(code.rawValue == number)
      #expect(UNError.Code(rawValue: number) == code)
      #expect(UNError(code).errorCode == number)
    }
    #expect(UNError.Code(rawValue: 2) == nil)
  }

  @Test func errorsAreCaughtByCodeByTypeAndAsNSError() {
    let thrown: any Error = UNError(.attachmentCorrupt, "the reason", cause: POSIXError(.ENOENT))
    do {
      throw thrown
    } catch UNError.attachmentInvalidURL {
      Issue.record("another code")
    } catch UNError.attachmentCorrupt {
      #expect(thrown.localizedDescription == "the reason")
    } catch {
      Issue.record("not caught by code")
    }
    #expect((thrown as? UNError)?.code == .attachmentCorrupt)
    #expect((thrown as NSError).domain == UNErrorDomain && (thrown as NSError).code == 105)
    #expect((thrown as? UNError)?.userInfo[NSUnderlyingErrorKey] is POSIXError)
    #expect(UNErrorDomain == "UNErrorDomain" && UNError.errorDomain == UNErrorDomain)
  }

  @Test func errorsOfOneCodeAndTextAreEqual() {
    #expect(UNError(.badgeInputInvalid) == UNError(.badgeInputInvalid))
    #expect(UNError(.badgeInputInvalid) != UNError(.attachmentCorrupt))
    #expect(Set([UNError(.badgeInputInvalid), UNError(.badgeInputInvalid)]).count == 1)
  }
}
