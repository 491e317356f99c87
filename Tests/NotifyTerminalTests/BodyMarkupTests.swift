import Testing

@testable import NotifyTerminal

@Suite struct BodyMarkupTests {
  /// Spans as text: `*bold*`, `/italic/`, `_underlined_`, `{link}`, `[remark]`.
  private func shown(_ body: String) -> String {
    BodyMarkup.parse(body).map { span in
      var text = span.text
      if span.isBold { text = "*\(text)*" }
      if span.isItalic { text = "/\(text)/" }
      if span.isUnderlined { text = "_\(text)_" }
      if span.isLink { text = "{\(text)}" }
      return span.isRemark ? "⟦\(text)⟧" : text
    }.joined(separator: "|")
  }

  @Test(arguments: [
    ("plain", "plain"), ("a <b>bold</b> word", "a |*bold*| word"), ("<i>x</i><u>y</u>", "/x/|_y_"),
    ("<b>a<i>b</i></b>", "*a*|/*b*/"), ("<B>x</B>", "*x*"), ("a &lt; b &amp; &quot;c&apos;", "a < b & \"c'"),
    ("&#8364;&#x20AC;", "€€"), ("<a href=\"https://a.example\">site</a>!", "{site}|⟦ (https://a.example)⟧|!"),
    ("<a href='https://a.example'>https://a.example</a>", "{https://a.example}"), ("<a>x</a>", "{x}"),
    ("<a href=\"x?a=1&amp;b=2\">y</a>", "{y}|⟦ (x?a=1&b=2)⟧"),
    ("see <img src=\"a.png\" alt=\"a cat\"/>", "see |⟦[a cat]⟧"),
    ("<img src=\"a.png\">x", "x"), ("<b/>x", "x"), ("<b >x</b >", "*x*"),
  ])
  func markupOfTheSpecificationIsRendered(body: String, expected: String) { #expect(shown(body) == expected) }

  @Test(arguments: [
    "a < b", "1 <2> 3", "<", "&", "a && b", "&nbsp;", "&#xd800;", "&#1114112;", "&#-5;", "&;", "<b>never closed",
    "closed</b>",
    "<script>x</script>", "<b", "<b foo>x", "<a href=x>y", "</", "<//b>", "< b>x", "<a href=\"x>y</a>", "</b >",
  ])
  func whatIsNoMarkupIsShownAsItIs(body: String) {
    #expect(BodyMarkup.parse(body).map(\.text).joined() == body)
    #expect(BodyMarkup.parse(body).allSatisfy { !$0.isBold && !$0.isLink })
  }

  @Test func onlyTheBrokenPartOfBrokenMarkupIsText() {
    #expect(shown("<b>a</b> <i>b") == "*a*| <i>b")
    #expect(shown("<b><i>x</b></i>") == "*<i>x*|</i>")
  }

  @Test func escapesCannotSmuggleMarkupIn() { #expect(shown("&lt;b&gt;x&lt;/b&gt;") == "<b>x</b>") }

  @Test func manyTagsTakeTimeInProportion() {
    let clock = ContinuousClock()
    for text in [
      String(repeating: "<b>", count: 10_000), String(repeating: "<", count: 30_000),
      String(repeating: "<a href=\"", count: 4_000), String(repeating: "&amp", count: 8_000),
      String(repeating: "</b>", count: 8_000), String(repeating: "<b x=\"\" ", count: 4_000),
    ] {
      let time = clock.measure { _ = BodyMarkup.parse(text) }
      #expect(time < .seconds(5))
    }
  }
}
