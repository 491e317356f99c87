// As on Apple's systems: who imports UserNotifications has Foundation, and, with the package trait Networking, the part
// of it that Linux keeps apart.
@_exported public import Foundation

#if Networking
  @_exported public import FoundationNetworking
#endif
