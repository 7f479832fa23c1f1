package lang

var _ = add(Language{Name: "nix",
	Extensions: "nix",
	Programs:   "nix-shell",
	Layout:     &Layout{Comments: hash, Open: "/*", Close: "*/", Defs: symbols(`^\s{0,4}([\w.-]+)\s*=`)},
})
