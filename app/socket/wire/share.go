package wire

import "searchmcp/engine/api"

// The methods about an index that a team shares on S3-compatible storage. Whoever calls one has asked the person: from
// then on the app opens connections to that storage.
const (
	MethodShareAdd     Method[Share, api.Project]      = Prefix + "share/add" // fetched when it returns
	MethodShareRemove  Method[ProjectRef, api.Project] = Prefix + "share/remove"
	MethodSharePublish Method[Share, api.Publication]  = Prefix + "share/publish" // tells progress to a token
)

// Share names a project, as ProjectRef does, and a place on S3-compatible storage.
type Share struct {
	Project  string `json:"project,omitempty"`
	Location string `json:"location"` // s3://bucket/prefix?endpoint=…&region=…
}
