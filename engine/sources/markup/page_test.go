package markup

import (
	"slices"
	"strings"
	"testing"
)

const mdbook = `<!DOCTYPE html><html><head><title>Application binary interface - The Reference</title></head><body>
<div id="mdbook-help-container"><div id="mdbook-help-popup"><h2 class="mdbook-help-title">Keyboard shortcuts</h2>
<div><p>Press <kbd>←</kbd> or <kbd>→</kbd> to navigate between chapters</p></div></div></div>
<div id="mdbook-body-container"><nav id="mdbook-sidebar" class="sidebar"><a href="x.html">Chapters</a></nav>
<div id="mdbook-page-wrapper" class="page-wrapper"><div id="mdbook-menu-bar" class="menu-bar">Search</div>
<div id="mdbook-content" class="content"><main>
<h1 id="application-binary-interface"><a class="header" href="#application-binary-interface">Application binary interface</a></h1>
<div class="rule" id="r-abi.intro"><a class="rule-link" href="#r-abi.intro" title="abi.intro">[<wbr>abi<wbr>.intro]</a></div>
<p>This section documents features that affect the ABI of the compiled output of a crate.</p>
<h2 id="the-used-attribute"><a class="header" href="#the-used-attribute">The <code>used</code> attribute</a></h2>
<p>The value of a_b is &lt;T&gt; and [x].</p>
</main><nav class="nav-wrapper"><a rel="prev" href="y.html">Previous chapter</a></nav></div></div></div></body></html>`

func TestPageOfMDBook(t *testing.T) {
	d := Parse("abi.html", []byte(mdbook))
	want := "Application binary interface\n\nThis section documents features that affect the ABI of the compiled " +
		"output of a crate.\n\n" +
		"The used attribute\n\nThe value of a_b is <T> and [x]."
	wantEqual(t, d.Plain, want, "plain")
	wantEqual(t, d.Description,
		"This section documents features that affect the ABI of the compiled output of a crate.", "description")
	wantEqual(t, d.Abstract, d.Description, "abstract")
	if len(d.Headings) != 2 || d.Headings[1].Anchor != "the-used-attribute" ||
		!strings.HasPrefix(d.Plain[d.Headings[1].At:], "The used attribute\n") {
		t.Errorf("headings %+v", d.Headings)
	}
}

func TestPageWithoutMain(t *testing.T) {
	body := strings.Repeat(
		"<p>Buffers hold bytes of a fixed length, and many interfaces of the runtime take them in place of strings.</p>", 8)
	d := Parse("buffer.html", []byte(`<html><head><title>Buffer</title></head><body><div id="content" class="clearfix">
<div id="column2" class="interior"><ul><li><a href="assert.html">Assertion testing</a></li><li><a href="fs.html">File system</a></li></ul></div>
<div id="column1" class="interior"><header class="header"><h1>Manual</h1></header><details id="toc"><ul><li><a href="#buffer">Buffer</a></li></ul></details>
<div id="apicontent"><h2>Buffer<span><a class="mark" href="#buffer_buffer" id="buffer_buffer">#</a></span></h2>
<div class="api_stability"><p><a href="documentation.html">Stability: 2</a> - Stable</p></div>`+body+
		`<h3>Class: <code>Buffer</code><span><a class="mark" href="#buffer_class" id="buffer_class">#</a></span></h3><p>See <a href="fs.html#x">files</a>.</p>
</div></div></div></body></html>`))
	for _, bad := range []string{"Assertion", "#", "Manual"} {
		if strings.Contains(d.Plain, bad) {
			t.Errorf("%q is in the text:\n%s", bad, d.Plain)
		}
	}
	if !strings.HasPrefix(d.Abstract, "Buffers hold bytes") {
		t.Errorf("abstract %q", d.Abstract)
	}
	if n := len(d.Links); n == 0 || d.Links[n-1].URL != "fs.html#x" || slices.ContainsFunc(d.Links,
		func(l Link) bool { return l.URL == "assert.html" }) {
		t.Errorf("links of the navigation: %+v", d.Links)
	}
	if n := len(d.Headings); n != 2 || d.Headings[n-1].Anchor != "buffer_class" ||
		d.Headings[n-1].Text != "Class: Buffer" {
		t.Errorf("headings %+v", d.Headings)
	}
}

func TestNavigationIsNotText(t *testing.T) {
	for _, box := range []string{
		`<div class="sidebar">box</div>`, `<div id=toc>box</div>`, `<ul class="breadcrumb"><li>box</ul>`,
		`<dialog>box</dialog>`,
		`<div hidden>box</div>`, `<div style="color: red; Display : none">box</div>`,
		`<div role=menu>box</div>`, `<a class=skip-link href="#m">box</a>`,
		`<div class="docs-sidebar">box</div>`,
	} {
		d := Parse("x.html", []byte("<body>"+box+"<h1>T</h1><p>words</p>"))
		wantEqual(t, d.Plain, "T\n\nwords", "%s", box)
	}
}

func TestTextAsItIsRead(t *testing.T) {
	d := Parse("x.md", []byte("# A &amp; B &copy; \\*\\_c\\_\n\nx &lt; y &nbsp;z, \\[q\\], `a\\_b &amp;`\n"))
	wantEqual(t, d.Title, "A & B © *_c_", "title")
	wantEqual(t, d.Description, "x < y z, [q], a\\_b &amp;", "description")
	wantEqual(t, d.Plain, "A & B © *_c_\n\nx < y \u00a0z, [q], a\\_b &amp;", "plain")
}

func TestFrontMatterAsWritten(t *testing.T) {
	for in, want := range map[string]string{
		"1.10": "1.10", "No": "No", "0123": "0123", "yes": "yes", "1_000": "1_000", "12:30": "12:30", `"q"`: "q", "~": "x",
		"null": "x", "1e3": "1e3",
	} {
		wantEqual(t, Parse("x.md", []byte("---\ntitle: "+in+"\n---\nbody\n")).Title, want, "%s", in)
	}
	d := Parse("x.md",
		[]byte("---\ntags: [no, yes, on, y, 1.10]\ndate: 2025-03-04T05:06:07Z\nbase: &b [a]\nmore: *b\n---\n"))
	wantEqual(t, d.Tags, []string{"no", "yes", "on", "y", "1.10"}, "tags")
	wantEqual(t, d.Date, "2025-03-04", "date")
}

func TestNotContentPages(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a.md", "---\ndraft: true\n---\nx", "draft"}, {"b.md", "---\npublished: false\n---\nx", "draft"},
		{"c.md", "---\ndraft: false\n---\nx", ""},
		{"a.html", `<meta name=robots content="noindex, follow"><p>x`, "noindex"},
		{"b.html", `<meta http-equiv=refresh content="0; URL=items/enums.html"><title>Redirecting...</title><p>to`,
			"redirect"},
		{"c.html", `<title>Redirecting...</title><script>location = "x"</script><p>Redirecting to <a href="x">x</a>.`,
			"redirect"},
		{"d.html", `<noscript><meta http-equiv=refresh content="0; URL=no.html"></noscript><title>App</title><p>text`, ""},
		{"e.html", `<meta http-equiv=refresh content="300"><p>a page that loads itself again`, ""},
	} {
		d, got := Parse(tt.name, []byte(tt.text)), ""
		for what, is := range map[string]bool{"draft": d.Draft, "noindex": d.NoIndex, "redirect": d.Redirect} {
			if is {
				got += what
			}
		}
		wantEqual(t, got, tt.want, "%s", tt.name)
	}
}

func TestReferences(t *testing.T) {
	d := Parse("x.md", []byte(`# T

Raw <a href="https://t.test/inline">anchor</a> here. A [[Wiki Page|label]] and [[other#part]].

<div>
<a href="https://t.test/block">block</a>
</div>

As [@smith2020, p. 3; -@doe:99] and \citep[12]{knuth84,lamport} say (doi:10.1000/xyz(1)), mail [me@x.test].
Link https://doi.org/10.1234/abc is an address. `+"`10.9999/code [[no]]`"+` is code.
`))
	type link struct {
		Kind LinkKind
		URL  string
	}
	var got []link
	for _, l := range d.Links {
		got = append(got, link{l.Kind, l.URL})
		if l.Context == "" {
			t.Errorf("%s without its sentence", l.URL)
		}
	}
	want := []link{
		{Plain, "https://t.test/inline"}, {Wiki, "Wiki Page"}, {Wiki, "other"}, {Plain, "https://t.test/block"},
		{Plain, "https://doi.org/10.1234/abc"}, {Key, "knuth84"}, {Key, "lamport"}, {Key, "smith2020"}, {Key, "doe:99"},
		{Plain, "https://doi.org/10.1000/xyz(1)"},
	}
	wantEqual(t, got, want, "result")
	wantPart(t, d.Plain, "A label and other.", "plain")
}

func TestAbstract(t *testing.T) {
	tests := map[string]struct{ page, abstract, description string }{
		"grammar": {`<main><h1>Enums</h1><p><b>Syntax</b> Enumeration → enum IDENTIFIER GenericParams? WhereClause? { EnumVariants? }</p>
			<svg><text>Enumeration enum IDENTIFIER</text></svg><p>EnumVariant → OuterAttribute* Visibility? IDENTIFIER ( EnumVariantTuple | EnumVariantStruct )? Discriminant?</p><p>An enumeration is a definition of a type, with its constructors.</p></main>`,
			"An enumeration is a definition of a type, with its constructors.",
			"Syntax Enumeration → enum IDENTIFIER GenericParams? WhereClause? { EnumVariants? }"},
		"history": {`<body><div id=column2><ul><li><a href=fs.html>File system</a></ul></div><h2>Modules</h2><details class=changelog><summary>History</summary>
			<table><tr><td><p>Hooks are executed off the main thread, and were not before this version.</p></table></details>
			<p>Modules are the official standard format to package code for reuse.</p>`,
			"Modules are the official standard format to package code for reuse.",
			"Modules are the official standard format to package code for reuse."},
		"Texinfo": {`<div class=header><p>Next: <a href=b.html accesskey=n rel=next>Source</a>, Previous: <a href=a.html rel=prev>Expand</a></p></div>
			<h2>Complex types</h2><p>The library supports the complex types that the standard of C defines.</p>`,
			"The library supports the complex types that the standard of C defines.",
			"The library supports the complex types that the standard of C defines."},
		"Wikipedia": {`<h1>Mozilla</h1><div id=jump-to-nav>Jump to: Source</div>
			<p>Mozilla is a community that was created by members of Netscape.</p>
			<h2>History<span class=mw-editsection>[Expand]</span></h2>`,
			"Mozilla is a community that was created by members of Netscape.",
			"Mozilla is a community that was created by members of Netscape."},
		"table alone": {`<table><tr><td><p>cell</p></table>`, "cell", "cell"},
		"Japanese": {`<main><p>安定度: 2</p><p>この章では、ファイルシステムの操作について説明します。</p></main>`,
			"この章では、ファイルシステムの操作について説明します。", "安定度: 2"},
		"grammar in lines": {"<p>Lexer<br>WHITESPACE → U+0009 // Horizontal tab. U+000A // Line feed, and many more of " +
			"them here</p><p>Whitespace is any text of such characters only.</p>",
			"Whitespace is any text of such characters only.",
			"Lexer WHITESPACE → U+0009 // Horizontal tab. U+000A // Line feed, and many more of them here"},
		"introduction of a list": {
			"<p>The source for the dependency can be specified with:</p><p>This command can add or modify dependencies.</p>",
			"This command can add or modify dependencies.", "The source for the dependency can be specified with:"},
		"last sentence introduces a list": {
			"<p>The module exposes what is specific to this version of it. It can be accessed using:</p>",
			"The module exposes what is specific to this version of it.",
			"The module exposes what is specific to this version of it. It can be accessed using:"},
		"rustdoc": {`<main><h1>Struct Vec</h1><a class="src rightside" href=v.rs>Source</a><details open><summary class=hideme><span>Expand description</span></summary>
			<p>A contiguous growable array type, written as Vec, short for vector.</p></details></main>`,
			"A contiguous growable array type, written as Vec, short for vector.",
			"A contiguous growable array type, written as Vec, short for vector."},
	}
	for name, tt := range tests {
		d := Parse("x.html", []byte(tt.page))
		wantEqual(t, d.Abstract, tt.abstract, "%s: abstract", name)
		wantEqual(t, d.Description, tt.description, "%s: description", name)
		for _, bad := range []string{"Enumeration enum", "Expand", "Source", "File system"} {
			if strings.Contains(d.Plain, bad) {
				t.Errorf("%s: %q is in\n%s", name, bad, d.Plain)
			}
		}
	}
}

func TestMarkersOfGenerators(t *testing.T) {
	d := Parse("a.md",
		[]byte("# Redis\n\nA story of stores\n{: .subtitle }\n\n!!! tip \"Dynamic updates\"\n\n"+
			"    Updates need notifications.\n\n"+
			"!!! warning\n\n=== \"File\"\n\n```yaml\n--8<-- \"content/x.yaml\"\nkey: {% raw %}\n```\n\n"+
			"--8<-- \"content/y.md\"\n\n{!business.md!}\n\n"+
			":::note Read this\n\nText === and {{ name }} stay.\n\n:::\n\n{{< figure src=\"x\" >}}\n"))
	want := "Redis\n\nA story of stores\n\nDynamic updates\n\nUpdates need notifications.\n\nwarning\n\nFile\n\n" +
		"key: {% raw %}\n\n" +
		"Read this\n\nText === and {{ name }} stay."
	wantEqual(t, d.Plain, want, "plain")
}

func TestServedPage(t *testing.T) {
	got := Content("abi.html", []byte(strings.Replace(mdbook, ">Search</div>",
		`><ul id="themes" class="theme-popup" role="menu"><li>Rust</li></ul></div>`+
			`<a href="print.html" title="Print"><i class="fa"></i></a><a href="p.png"><img src="p.png" alt="A picture"></a>`,
		1)))
	for _, bad := range []string{"Press", "Keyboard", "Rust", "print.html"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is in\n%s", bad, got)
		}
	}
	for _, want := range []string{"# ", "Application binary interface", "[Chapters](x.html)", "A picture",
		"Previous chapter"} {
		wantPart(t, got, want, "result")
	}
}

func TestContextOfNumberedChapters(t *testing.T) {
	for in, want := range map[string]string{
		"- [6.12. Implementations](a.html)\n":         "[6.12. Implementations](a.html)",
		"It began in 2019. See [this](a.html). More.": "See [this](a.html).",
	} {
		if d := Parse("a.md", []byte(in)); len(d.Links) != 1 || d.Links[0].Context != want {
			t.Errorf("%q: %+v", in, d.Links)
		}
	}
}

func TestPicturesWithin(t *testing.T) {
	d := Parse("a.html", []byte(`<title>T</title><p>Before <img alt="map" src="data:image/png;base64,`+
		strings.Repeat("QUJD", 1<<20)+`"> after.</p>`))
	if d.Cut || len(d.Body) > 100 || !strings.Contains(d.Plain, "Before") || !strings.Contains(d.Plain, "after.") {
		t.Errorf("cut %v, body of %d bytes, %.100q", d.Cut, len(d.Body), d.Plain)
	}
}
