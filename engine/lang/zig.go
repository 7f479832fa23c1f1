package lang

var _ = add(Language{Name: "zig",
	Extensions: "zig zon",
	Layout: &Layout{Comments: slashes, Header: re(`^const\s+\w+\s*=\s*(?:@import\(|(?:std|builtin|root)\b)`),
		Defs: append(symbols(`^\s*(?:pub\s+)?(?:export\s+|extern\s+(?:"\w+"\s+)?|inline\s+|noinline\s+)*fn\s+(\w+)`,
			`^\s*(?:pub\s+)?(?:export\s+|extern\s+|threadlocal\s+)*(?:const|var)\s+(\w+)`),
			places(`^\s*(test(?:\s+"[^"]+"|\s+\w+)?)\s*\{`)...),
		Body:  re(`^\s*(?:(?:pub|export|inline|noinline|extern(?:\s+"\w+")?)\s+)*fn\s|^\s*test\b|^\s*comptime\b`),
		Holds: re(`\b(?:struct|union|enum|opaque)\b[^;]*\{\s*$`)},
})
