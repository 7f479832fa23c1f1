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
	Must       int    // Lines[:Must] are always shown
	Window     []Line // the whole declaration, or the important lines of a long declaration
	First      int    // line number of the first line in Text
	Text       string // the whole chunk; overlong lines are shortened
	Repeated   bool   // an earlier page has a result in the same chunk
}
