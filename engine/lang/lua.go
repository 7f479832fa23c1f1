package lang

var _ = add(Language{Name: "lua",
	Extensions: "lua luau rockspec",
	Programs:   "lua luajit",
	Comments:   Comments{Lines: dashes, Blocks: []Enclosed{{"--[[", "]]"}, {"--[=[", "]=]"}, {"--[==[", "]==]"}}},
})
