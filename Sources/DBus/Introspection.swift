/// What an object shows of itself. Source: D-Bus Specification, "Introspection Data Format".
enum Introspection {
  /// The XML of an object with these interfaces and these objects below it.
  static func xml(_ interfaces: [ExportedObjects.Interface], children: [String]) -> String {
    var text = """
      <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
      <node>

      """
    for interface in interfaces { append(interface.table, to: &text) }
    text += standard
    for child in children { text += "  <node name=\"\(escape(child))\"/>\n" }
    return text + "</node>\n"
  }

  private static func append(_ table: ExportedInterface, to text: inout String) {
    text += "  <interface name=\"\(table.name)\">\n"
    for method in table.methods {
      text += "    <method name=\"\(method.name)\">\n"
      for argument in method.inputs { text += line(argument, " direction=\"in\"") }
      for argument in method.outputs { text += line(argument, " direction=\"out\"") }
      text += "    </method>\n"
    }
    for signal in table.signals {
      text += "    <signal name=\"\(signal.name)\">\n"
      for argument in signal.arguments { text += line(argument, "") }
      text += "    </signal>\n"
    }
    for property in table.properties {
      text += "    <property name=\"\(property.name)\" type=\"\(property.type)\" access=\"read\"/>\n"
    }
    text += "  </interface>\n"
  }

  private static func line(_ argument: ExportedInterface.Argument, _ direction: String) -> String {
    let name = argument.name.isEmpty ? "" : " name=\"\(escape(argument.name))\""
    return "      <arg\(name) type=\"\(argument.type)\"\(direction)/>\n"
  }

  private static func escape(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where character.value < 0x20 || character.value == 0xFFFE || character.value == 0xFFFF:
        // XML cannot hold these in any form.
        result += "?"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  private static let standard = """
      <interface name="org.freedesktop.DBus.Introspectable">
        <method name="Introspect">
          <arg name="xml_data" type="s" direction="out"/>
        </method>
      </interface>
      <interface name="org.freedesktop.DBus.Properties">
        <method name="Get">
          <arg name="interface_name" type="s" direction="in"/>
          <arg name="property_name" type="s" direction="in"/>
          <arg name="value" type="v" direction="out"/>
        </method>
        <method name="GetAll">
          <arg name="interface_name" type="s" direction="in"/>
          <arg name="properties" type="a{sv}" direction="out"/>
        </method>
        <method name="Set">
          <arg name="interface_name" type="s" direction="in"/>
          <arg name="property_name" type="s" direction="in"/>
          <arg name="value" type="v" direction="in"/>
        </method>
      </interface>
      <interface name="org.freedesktop.DBus.Peer">
        <method name="Ping"/>
        <method name="GetMachineId">
          <arg name="machine_uuid" type="s" direction="out"/>
        </method>
      </interface>

    """
}
