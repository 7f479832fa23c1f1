package lang

var _ = add(Language{Name: "erlang",
	Extensions: "erl hrl",
	Programs:   "escript",
	Layout: &Layout{Comments: []string{"%"}, Members: members("", `^-module\(\s*(\w+)`, `^'([^']+)'\s*\(`),
		Header:    re(`^-(?:module|include|include_lib|import|export|export_type|behaviou?r|compile|author|vsn)\b`),
		Attribute: re(`^-(?:spec|doc)\b`), Defs: symbols(`^-(?:define|record|type|opaque|callback)\(?\s*(\w+)`,
			`^([a-z]\w*)\(`)},
})
