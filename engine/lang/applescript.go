package lang

var _ = add(Language{Name: "applescript",
	Programs: "osascript",
})
