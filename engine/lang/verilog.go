package lang

var _ = add(Language{Name: "verilog",
	Extensions: "v sv svh vh",
	Layout: &Layout{Comments: slashes, Open: "/*", Close: "*/", Header: re("^`(?:include|timescale|default_nettype)"),
		Members: members("", `^\s*\}\s*(\w+)\s*;`),
		Defs: symbols("^\\s*`define\\s+(\\w+)", `^\s*typedef\b.*[\s}\]](\w+)\s*;`,
			`^\s*(?:parameter|localparam)\b[^=]*?(\w+)\s*=`,
			`^\s*(?:virtual\s+)?class\s+(?:automatic\s+)?(\w+)`,
			`^\s*(?:virtual\s+|automatic\s+)*(?:module|interface|package|class|function|task|program)\s+(?:automatic\s+)?(?:[\w\[\]:-]+\s+)*?(\w+)\s*(?:#|\(|;)`)},
})
