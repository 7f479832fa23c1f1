package lang

var _ = add(Language{Name: "perl",
	Arrow:      true,
	Extensions: "pl pm t pod",
	Programs:   "perl",
	Also:       "cperl",
	Layout: &Layout{Comments: hash,
		Members: append(members(`^use constant\b`, `(?:^|[{,])\s*([A-Za-z_]\w*)\s*=>`),
			members("", `^\s*has\s+['"+]*(\w+)`, `^\s*method\s+(\w+)`)...),
		Header: re(`^(?:use|no|require)\s`),
		Defs:   append(symbols(`^\s*package\s+([\w:]+)`, `^\s*sub\s+([\w:']+)`, `^(?:our|use constant)\s+[$@%]?(\w+)`), places(`^=head\d\s+(.*)`)...)},
})
