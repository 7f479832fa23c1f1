package api

type Line struct {
	Number int    `json:"line"`
	Text   string `json:"text"`
}

type Excerpt struct {
	Line       string
	Start, End int
	Best       int
	Lines      []Line // most relevant first
	Must       int    // number of leading Lines that are always shown
	Window     []Line // the whole declaration, or the signature of a long declaration and the lines around Best
	First      int    // line number of Text's first line
	Text       string // the whole chunk, with overlong lines shortened
	Repeated   bool   // an earlier page has a result in the same chunk
}
