package wire

// The methods about an index that a team shares on S3-compatible storage. Whoever calls one has asked the person: from
// then on the app opens connections to that storage.
const (
	MethodShareAdd     = Prefix + "share/add"     // Share → api.Project; fetched when it returns
	MethodShareRemove  = Prefix + "share/remove"  // ProjectRef → api.Project
	MethodSharePublish = Prefix + "share/publish" // Share → api.Publication; when it returns. Tells progress to a token.
)

// Share names a project, as ProjectRef does, and a place on S3-compatible storage.
type Share struct {
	Project  string `json:"project,omitempty"`
	Location string `json:"location"` // s3://bucket/prefix?endpoint=…&region=…
}
