/// What a connection exports: interfaces by path.
struct ExportedObjects {
  /// One interface, with its methods ready to be looked up.
  struct Interface {
    let number: UInt64
    let table: ExportedInterface
    let methods: [MemberName: (method: ExportedInterface.Method, signature: String)]

    init(_ table: ExportedInterface, number: UInt64) {
      self.number = number
      self.table = table
      var methods: [MemberName: (method: ExportedInterface.Method, signature: String)] = [:]
      for method in table.methods { methods[method.name] = (method, method.inputs.map(\.type.text).joined()) }
      self.methods = methods
    }
  }

  private var paths: [ObjectPath: [Interface]] = [:]

  /// Adds an interface; one of the same name on the same path stands behind it until this is removed.
  mutating func add(_ table: ExportedInterface, at path: ObjectPath, number: UInt64) {
    paths[path, default: []].insert(Interface(table, number: number), at: 0)
  }

  /// Takes an interface out and hands it back, so that what its handlers keep alive goes when nothing changes any more.
  mutating func remove(_ number: UInt64) -> [Interface] {
    var removed: [Interface] = []
    for (path, interfaces) in paths {
      let left = interfaces.filter { $0.number != number }
      guard left.count < interfaces.count else { continue }
      removed += interfaces.filter { $0.number == number }
      paths[path] = left.isEmpty ? nil : left
    }
    return removed
  }

  /// The interfaces of an object, each name once.
  func interfaces(at path: ObjectPath) -> [Interface] {
    var seen: Set<InterfaceName> = []
    return (paths[path] ?? []).filter { seen.insert($0.table.name).inserted }
  }

  func interface(_ name: InterfaceName, at path: ObjectPath) -> Interface? {
    paths[path]?.first { $0.table.name == name }
  }

  /// The names of the next elements below `path`, in byte order.
  func children(of path: ObjectPath) -> [String] {
    let start = path.text == "/" ? "/" : path.text + "/"
    var names: Set<String> = []
    for other in paths.keys where other.text.hasPrefix(start) && other != path {
      names.insert(String(other.text.dropFirst(start.utf8.count).prefix { $0 != "/" }))
    }
    return names.sorted()
  }

  /// True for an object and for every path that leads to one.
  func knows(_ path: ObjectPath) -> Bool { paths[path] != nil || !children(of: path).isEmpty }
}
