package lang

var _ = add(Language{Name: "protobuf",
	Extensions: "proto",
	Also:       "protocol-buffers",
	Layout: &Layout{Comments: slashes, Open: "/*", Close: "*/", Header: re(`^(?:syntax|edition|import|package|option)\b`),
		Defs: symbols(`^\s*(?:message|service|enum|extend|oneof)\s+([\w.]+)`, `^\s*rpc\s+(\w+)`)},
})
