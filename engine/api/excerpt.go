package api

// Line is a line of a file.
type Line struct {
	Number int    `json:"line"`
	Text   string `json:"text"`
}

// Excerpt is a hit before it has its room in an answer.
type Excerpt struct {
	First      int    // the number of Text's first line
	Text       string // the whole chunk, as in the file but for lines that are too long
	Lines      []Line // by worth: any number of the first ones makes an excerpt
	Best       int    // the line that says most
	Start, End int    // the declaration
	Others     []Line // telling lines of the file's next best chunks
}
