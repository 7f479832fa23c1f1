package lang

var _ = add(Language{Name: "text",
	NoNames:    true,
	Extensions: "txt text log",
	Files:      "go.sum authors copying notice license todo install",
	Sort:       Prose,
	Headings:   PlainText,
})
