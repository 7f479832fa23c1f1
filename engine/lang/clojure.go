package lang

var _ = add(Language{Name: "clojure",
	Apostrophes: true,
	Extensions:  "clj cljs cljc edn",
	Signs:       "-?!*+<>=",
	Layout: &Layout{Comments: []string{";"}, Header: re(`^\((?:ns|in-ns|require)\b`),
		Members: members(`^\s*\((?:defprotocol|definterface)\b`, `^\s+\(([^\s()\[\]]+)\s`),
		Defs:    symbols(`^\(def[\w.-]*\s+(?:\^\S+\s+)*([^\s\[\](){}"]+)`)},
})
