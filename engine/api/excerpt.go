package api

// Line is a line of a file.
type Line struct {
	Number int    `json:"line"`
	Text   string `json:"text"`
}

// Excerpt is a hit before it has its room in an answer.
type Excerpt struct {
	Line       string // the declaration in one line: its signature
	Start, End int    // its lines
	Best       int    // the line that shows most of the query
	Lines      []Line // by relevance: any number of the first ones makes an excerpt
	Must       int    // how many of these are always shown
	Window     []Line // the whole declaration, or a longer one's signature and the lines around the best one
	First      int    // the number of Text's first line
	Text       string // the whole chunk, as in the file but for lines that are too long
}
