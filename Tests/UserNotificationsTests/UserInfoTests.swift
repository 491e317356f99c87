import Foundation
import NotificationBridge
import Testing

@testable import UserNotifications

@Suite struct UserInfoTests {
  @Test func typesAreToldApart() throws {
    let date = Date(timeIntervalSince1970: 5)
    let record = try UserInfo.record([
      "bool": true, "boolNumber": NSNumber(value: false), "int": 1, "intNumber": NSNumber(value: 0), "int8": Int8(1),
      "uint64": UInt64(7), "double": 1.0, "float": Float(0.5), "doubleNumber": NSNumber(value: 2.0), "string": "s",
      "nsstring": NSString(string: "n"), "date": date, "nsdate": NSDate(timeIntervalSince1970: 5), "data": Data([1]),
      "nsdata": NSData(data: Data([2])), "null": NSNull(), "array": NSArray(array: [1, true]),
      "dictionary": NSDictionary(dictionary: ["a": 1.5]), "emptyArray": [Any](), "emptyDictionary": [String: Any](),
    ])
    #expect(
      record == [
        "bool": .boolean(true), "boolNumber": .boolean(false), "int": .integer(1), "intNumber": .integer(0),
        "int8": .integer(1), "uint64": .integer(7), "double": .double(1), "float": .double(0.5),
        "doubleNumber": .double(2), "string": .string("s"), "nsstring": .string("n"), "date": .date(date),
        "nsdate": .date(date), "data": .data(Data([1])), "nsdata": .data(Data([2])), "null": .null,
        "array": .array([.integer(1), .boolean(true)]), "dictionary": .dictionary(["a": .double(1.5)]),
        "emptyArray": .array([]), "emptyDictionary": .dictionary([:]),
      ])
  }

  @Test func valuesComeBackAsProgramsReadThem() {
    let objects = UserInfo.objects([
      "flag": .boolean(true), "count": .integer(3), "half": .double(0.5),
      "names": .array([.string("a"), .string("b")]),
      "inner": .dictionary(["x": .integer(1)]), "nothing": .null,
    ])
    #expect(objects["flag"] as? Bool == true)
    #expect(objects["count"] as? Int == 3 && objects["count"] as? Double == 3)
    #expect(objects["half"] as? Double == 0.5)
    #expect(objects["names"] as? [String] == ["a", "b"])
    #expect(objects["inner"] as? [String: Int] == ["x": 1])
    #expect((objects["inner"] as? [AnyHashable: Any])?["x"] as? NSNumber == 1)
    #expect(objects["nothing"] is NSNull)
    #expect(objects as? [String: Any] != nil)
  }

  @Test func recordsSurviveTheWayThroughObjects() throws {
    let record: [String: PropertyValue] = [
      "a": .null, "b": .array([.integer(1), .null, .boolean(false)]), "c": .dictionary(["d": .data(Data([9]))]),
      "e": .double(0.1), "f": .integer(.max), "g": .integer(.min), "h": .date(Date(timeIntervalSince1970: 0.5)),
      "i": .string("𝄞"),
    ]
    #expect(try UserInfo.record(UserInfo.objects(record)) == record)
  }

  @Test("C100 a value that cannot be stored gives an error that names its key path")
  func storableOnly() {
    let cases: [([AnyHashable: Any], String)] = [
      (["a": NSObject()], #"userInfo["a"] is a NSObject"#),
      (["b": [1, ["c": Data.self]] as [Any]], #"userInfo["b"][1]["c"] is a"#),
      (["d": URL(fileURLWithPath: "/")], #"userInfo["d"] is a URL"#),
      (["e": Optional<Int>.none as Any], #"userInfo["e"] is a Optional<Int>"#),
      (["f": UInt64.max], #"userInfo["f"] is 18446744073709551615"#),
      (["g": [5: "x"]], #"userInfo["g"] has the key 5 (Int)"#),
      ([5: "x"], "userInfo has the key 5 (Int)"),
    ]
    for (userInfo, message) in cases {
      #expect {
        try UserInfo.record(userInfo)
      } throws: { error in
        let error = error as? BridgeError
        return error?.code == .invalidRequest && error?.message.hasPrefix(message) == true
      }
    }
  }

  @Test func nestingHasALimit() {
    var value: Any = "core"
    for _ in 0..<99 { value = [value] }
    #expect(throws: Never.self) { try UserInfo.record(["deep": value]) }
    for _ in 0..<200 { value = [value] }
    #expect {
      try UserInfo.record(["deep": value])
    } throws: { error in
      (error as? BridgeError)?.message.hasSuffix("is nested deeper than 100 levels") == true
    }
  }

  @Test func archivesKeepTypesApart() throws {
    let record: [String: PropertyValue] = [
      "a": .boolean(true), "b": .integer(1), "c": .double(2.5), "d": .date(Date(timeIntervalSince1970: 0.5)),
      "e": .data(Data([1])), "f": .string("$null?"), "g": .array([.boolean(false), .double(0.1)]), "h": .null,
      "i": .integer(.min), "j": .dictionary([:]),
    ]
    let back = try UserInfo.record(UserInfo.objects(archive: UserInfo.archive(UserInfo.objects(record))))
    #expect(back == record)
    #expect(UserInfo.objects(archive: Data("nonsense".utf8)).isEmpty)
  }

  @Test func equalityIsThatOfFoundation() {
    let object = NSObject()
    let cases: [([AnyHashable: Any], [AnyHashable: Any], Bool)] = [
      (["a": 1, "b": ["c": true]], ["a": NSNumber(value: 1.0), "b": ["c": 1]], true),
      (["a": 1], ["a": 2], false), (["a": 1], ["a": "1"], false), (["a": 1], ["a": 1, "b": 1], false),
      (["a": object], ["a": object], true), (["a": object], ["a": NSObject()], false),
    ]
    for (left, right, expected) in cases {
      let answer = UserInfo.areEqual(left, right)
      #expect(answer == expected, "\(left) \(right)")
    }
  }
}
