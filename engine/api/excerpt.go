package api

type Line struct {
	Number int    `json:"line"`
	Text   string `json:"text"`
}

// Excerpt contains the lines of a hit, of which the answer shows as many as fit.
type Excerpt struct {
	Line       string // signature of the declaration
	Start, End int    // lines of the declaration
	Best       int    // line that matches the query best
	Lines      []Line // by relevance; every prefix is a valid excerpt
	Must       int    // number of first Lines that are always shown
	Window     []Line // whole declaration, or for a long one its signature and the lines around Best
	First      int    // number of Text's first line
	Text       string // whole chunk, with overlong lines shortened
}
