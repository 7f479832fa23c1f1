package api

type Line struct {
	Number int    `json:"line"`
	Text   string `json:"text"`
}

type Excerpt struct {
	Line       string
	Start, End int
	Best       int
	Lines      []Line // by relevance; every prefix is a valid excerpt
	Must       int    // number of first Lines that are always shown
	Window     []Line // whole declaration, or for a long one its signature and the lines around Best
	First      int    // number of Text's first line
	Text       string // whole chunk, with overlong lines shortened
	Repeated   bool   // a result of an earlier page is in the same chunk
}
