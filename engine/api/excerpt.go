package api

// Line is a line of a file.
type Line struct {
	Number int    `json:"line"`
	Text   string `json:"text"`
}

// Excerpt is a hit before it has its room in an answer.
type Excerpt struct {
	Line       string // that tells it alone: a signature
	Start, End int    // its lines
	Best       int    // the line that says most
	Lines      []Line // by worth: any number of the first ones makes an excerpt
	Must       int    // of these, how many are shown in any case
	First      int    // the number of Text's first line
	Text       string // the whole chunk, as in the file but for lines that are too long
}
