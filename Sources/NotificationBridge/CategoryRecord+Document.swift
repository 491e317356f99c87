extension CategoryRecord: Documented {
  public var document: [String: PropertyValue] {
    var writer = DocumentWriter()
    writer.text("identifier", identifier)
    writer.documents("actions", actions)
    writer.texts("intentIdentifiers", intentIdentifiers)
    writer.text("hiddenPreviewsBodyPlaceholder", hiddenPreviewsBodyPlaceholder, unless: "")
    writer.text("categorySummaryFormat", categorySummaryFormat, unless: "")
    writer.integer("options", Int(clamping: options.rawValue), unless: 0)
    return writer.entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    self.init(
      identifier: try reader.needed("identifier", try reader.text("identifier"), "the name of the category"),
      actions: try reader.records("actions", of: ActionRecord.self) ?? [],
      options: Options(rawValue: UInt(clamping: try reader.integer("options") ?? 0)))
    intentIdentifiers = try reader.texts("intentIdentifiers") ?? []
    hiddenPreviewsBodyPlaceholder = try reader.text("hiddenPreviewsBodyPlaceholder") ?? ""
    categorySummaryFormat = try reader.text("categorySummaryFormat") ?? ""
  }
}

extension ActionRecord: Documented {
  public var document: [String: PropertyValue] {
    var writer = DocumentWriter()
    writer.text("identifier", identifier)
    writer.text("title", title)
    writer.integer("options", Int(clamping: options.rawValue), unless: 0)
    writer.text("iconName", iconName)
    if let input = textInput {
      writer.set(
        "textInput",
        .dictionary(["buttonTitle": .string(input.buttonTitle), "placeholder": .string(input.placeholder)]))
    }
    return writer.entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    var input: TextInput?
    if let text = try reader.document("textInput") {
      input = TextInput(
        buttonTitle: try text.text("buttonTitle") ?? "", placeholder: try text.text("placeholder") ?? "")
    }
    self.init(
      identifier: try reader.needed("identifier", try reader.text("identifier"), "the key of the action"),
      title: try reader.text("title") ?? "",
      options: Options(rawValue: UInt(clamping: try reader.integer("options") ?? 0)), textInput: input)
    iconName = try reader.text("iconName")
  }
}
