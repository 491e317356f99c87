// Who takes part in a conversation, by the names of Apple's Intents: what programs build for notifications of messages.

/// What kind of address an ``INPersonHandle`` holds. Raw values as Apple's.
///
/// Source: Apple, INPersonHandleType.
public enum INPersonHandleType: Int, Sendable {
  case unknown = 0
  case emailAddress = 1
  case phoneNumber = 2
}

/// An address by which a person can be reached.
///
/// Immutable; usable from any thread.
///
/// Source: Apple, INPersonHandle.
open class INPersonHandle: NSObject, NSCopying, NSSecureCoding,
  // Unchecked: only immutable properties.
  @unchecked Sendable
{
  /// The address; nil or empty: none.
  public final let value: String?
  public final let type: INPersonHandleType

  public init(value: String?, type: INPersonHandleType) {
    self.value = value
    self.type = type
    super.init()
  }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? INPersonHandle else { return false }
    return value == other.value && type == other.type
  }

  open override var hash: Int { value.hashValue }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(value, forKey: "value")
    coder.encode(NSNumber(value: type.rawValue), forKey: "type")
  }

  /// Reads an archive; what is missing is not known.
  public required init?(coder: NSCoder) {
    value = coder.text("value")
    type = coder.number("type").flatMap { INPersonHandleType(rawValue: $0.intValue) } ?? .unknown
    super.init()
  }
}

/// A person in a conversation.
///
/// Immutable; usable from any thread.
///
/// Source: Apple, INPerson.
open class INPerson: NSObject, NSCopying, NSSecureCoding,
  // Unchecked: only immutable properties.
  @unchecked Sendable
{
  /// How the person can be reached; nil: not known.
  public final let personHandle: INPersonHandle?
  /// The parts of the name; nil: not known.
  public final let nameComponents: PersonNameComponents?
  /// The picture; nil: none. Kept; desktops do not show it.
  public final let image: INImage?
  /// The entry in the user's address book; nil: none. Kept.
  public final let contactIdentifier: String?
  /// The application's name for the person; nil: none. Kept.
  public final let customIdentifier: String?
  /// Whether it is the user.
  public final let isMe: Bool
  private let givenName: String?

  public init(
    personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
    contactIdentifier: String?, customIdentifier: String?, isMe: Bool = false
  ) {
    self.personHandle = personHandle
    self.nameComponents = nameComponents
    givenName = displayName
    self.image = image
    self.contactIdentifier = contactIdentifier
    self.customIdentifier = customIdentifier
    self.isMe = isMe
    super.init()
  }

  /// The name for people: what was given, else the parts of the name, else the address; empty: nothing is known.
  open var displayName: String {
    let parts = [nameComponents?.givenName, nameComponents?.familyName].compactMap { $0 }.joined(separator: " ")
    return [givenName, parts, personHandle?.value].compactMap { $0 }.first { !$0.isEmpty } ?? ""
  }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? INPerson else { return false }
    return personHandle == other.personHandle && nameComponents == other.nameComponents
      && displayName == other.displayName && image == other.image && contactIdentifier == other.contactIdentifier
      && customIdentifier == other.customIdentifier && isMe == other.isMe
  }

  open override var hash: Int { displayName.hashValue }

  open override var description: String { description(of: ["displayName": displayName, "isMe": isMe]) }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(personHandle, forKey: "personHandle")
    coder.encode(nameComponents.flatMap { try? JSONEncoder().encode($0) }, forKey: "nameComponents")
    coder.encode(givenName, forKey: "displayName")
    coder.encode(image, forKey: "image")
    coder.encode(contactIdentifier, forKey: "contactIdentifier")
    coder.encode(customIdentifier, forKey: "customIdentifier")
    coder.encode(NSNumber(value: isMe), forKey: "isMe")
  }

  /// Reads an archive; what is missing is not known.
  public required init?(coder: NSCoder) {
    personHandle = coder.object("personHandle", INPersonHandle.self)
    nameComponents = coder.data("nameComponents").flatMap {
      try? JSONDecoder().decode(PersonNameComponents.self, from: $0)
    }
    givenName = coder.text("displayName")
    image = coder.object("image", INImage.self)
    contactIdentifier = coder.text("contactIdentifier")
    customIdentifier = coder.text("customIdentifier")
    isMe = coder.number("isMe")?.boolValue ?? false
    super.init()
  }
}

/// A picture of a person: a resource of the application, a file or bytes.
///
/// Kept and archived; desktops do not show it. Attach a picture to the content to have it shown.
///
/// Immutable; usable from any thread.
///
/// Source: Apple, INImage.
open class INImage: NSObject, NSCopying, NSSecureCoding,
  // Unchecked: only immutable properties.
  @unchecked Sendable
{
  private let name: String?
  private let address: String?
  private let bytes: Data?

  private init(name: String? = nil, address: String? = nil, bytes: Data? = nil) {
    self.name = name
    self.address = address
    self.bytes = bytes
    super.init()
  }

  /// A picture among the application's resources.
  public convenience init(named name: String) { self.init(name: name) }

  /// The bytes of a picture file.
  public convenience init(imageData: Data) { self.init(bytes: imageData) }

  /// A picture file.
  public convenience init?(url URL: URL) { self.init(address: URL.absoluteString) }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? INImage else { return false }
    return name == other.name && address == other.address && bytes == other.bytes
  }

  open override var hash: Int { name.hashValue ^ address.hashValue }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(name, forKey: "name")
    coder.encode(address, forKey: "url")
    coder.encode(bytes, forKey: "data")
  }

  /// Reads an archive; what is missing is empty.
  public required init?(coder: NSCoder) {
    name = coder.text("name")
    address = coder.text("url")
    bytes = coder.data("data")
    super.init()
  }
}
