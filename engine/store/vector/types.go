package vector

import "searchmcp/engine/api"

// Row is one row of the table (RFC 3.2).
type Row struct {
	ID, Path, Text     string
	Vector             api.Vector
	StartLine, EndLine int
	ContentHash        string
}

// Hit is a row near a query's vector.
type Hit struct {
	ID                 string
	Path               string
	ContentHash        string
	StartLine, EndLine int
	Score              float64 // cosine similarity, [-1,1]
}

// Key names a row and the content it was made from.
type Key struct {
	ID, Path, ContentHash string
}
