package api

type Line struct {
	Number int    `json:"line"`
	Text   string `json:"text"`
}

type Excerpt struct {
	Line       string
	Start, End int
	Head, Best int    // line numbers of the signature (0 if it is not in Lines) and of the most relevant line
	Lines      []Line // all lines of the declaration; overlong lines are shortened
}
