package resources

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"sort"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/endpoint/scope"
	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

const (
	scheme   = "docs://"
	template = scheme + "{+path}"
	pageSize = 200 // about 60 KB of JSON per page
)

type Engine interface {
	scope.Documents
	Documents(ctx context.Context, folders []api.DocumentFolder) ([]api.Document, error)
	// ReadDocument returns a document. name is the decoded path in its docs:// URI, and section the URI's fragment,
	// which is a heading's anchor or "".
	ReadDocument(ctx context.Context, folders []api.DocumentFolder, name, section string) (api.DocumentText, error)
}

type Options struct {
	MCP      *server.MCPServer
	Log      *slog.Logger
	Wait     func(ctx context.Context) (Engine, error)
	Attached func() (Engine, bool)
}

// Resources serves documents as MCP resources, because mcp-go does not support a separate list for each session.
type Resources struct{ o Options }

func New(o Options, hooks *server.Hooks) *Resources {
	r := &Resources{o: o}
	hooks.AddBeforeReadResource(func(_ context.Context, _ any,
		q *mcp.ReadResourceRequest) {
		q.Params.URI = escaped(q.Params.URI)
	})
	hooks.AddAfterListResources(
		func(ctx context.Context, _ any, q *mcp.ListResourcesRequest, result *mcp.ListResourcesResult) {
			r.list(ctx, q, result)
		})
	hooks.AddAfterListResourceTemplates(
		func(ctx context.Context, _ any, _ *mcp.ListResourceTemplatesRequest, result *mcp.ListResourceTemplatesResult) {
			s := session.FromContext(ctx)
			engine, ready := r.o.Attached()
			if s == nil || !ready || len(scope.Folders(ctx, s, engine)) == 0 {
				result.ResourceTemplates = []mcp.ResourceTemplate{}
			}
		})
	o.MCP.AddResourceTemplate(mcp.NewResourceTemplate(template, "documents", mcp.WithTemplateDescription(
		"A document of the project's or the document folder: Markdown, HTML (as Markdown) or plain text")), r.read)
	return r
}

func (r *Resources) Changed() {
	r.o.MCP.SendNotificationToAllClients(string(mcp.MethodNotificationResourcesListChanged), nil)
}

// list adds one page of documents to result. The cursor is the last name on the previous page, in base64.
func (r *Resources) list(ctx context.Context, request *mcp.ListResourcesRequest, result *mcp.ListResourcesResult) {
	s := session.FromContext(ctx)
	engine, ready := r.o.Attached()
	if s == nil || !ready {
		return
	}
	list, err := engine.Documents(ctx, scope.Folders(ctx, s, engine))
	if err != nil {
		r.o.Log.Error("documents not listed", "session", s.SessionID(), "err", err)
		return
	}
	from := 0
	if last, err := base64.StdEncoding.DecodeString(string(request.Params.Cursor)); err == nil && len(last) > 0 {
		from = sort.Search(len(list), func(i int) bool { return list[i].Name > string(last) })
	}
	page := list[from:min(len(list), from+pageSize)]
	resources := make([]mcp.Resource, 0, len(page))
	for _, d := range page {
		m := mcp.NewResource(d.URI, display.Line(d.Name), mcp.WithResourceDescription(short(d.Description)),
			mcp.WithMIMEType(d.MIMEType))
		m.Title = short(d.Title)
		resources = append(resources, m)
	}
	result.Resources = resources
	if from+len(page) < len(list) {
		result.NextCursor = mcp.Cursor(base64.StdEncoding.EncodeToString([]byte(page[len(page)-1].Name)))
	}
}

func short(text string) string {
	return display.Line(display.Shorten(strings.Join(strings.Fields(text), " "), display.MaxEcho))
}

func (r *Resources) read(ctx context.Context, request mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	d, err := r.document(ctx, request.Params.URI)
	if err != nil {
		e := session.Explain(r.o.Log, "resources/read", err)
		uri := display.Short(request.Params.URI)
		session.Refuse(ctx, refusalCode(ctx, e.Code), refusedDocument{uri, e})
		return nil, fmt.Errorf("%s: %s", e.Code, display.Visible(e.UserMessage)) // clients show only the message
	}
	text := mcp.TextResourceContents{URI: request.Params.URI, MIMEType: d.MIMEType, Text: served(d.Text)}
	return []mcp.ResourceContents{text}, nil
}

// served returns the text of a document with invisible characters escaped.
func served(text string) string {
	mark := ""
	if after, has := strings.CutPrefix(text, "\ufeff"); has {
		mark, text = "\ufeff", after
	}
	lines := strings.Split(text, "\r\n")
	for i, line := range lines {
		lines[i] = display.Visible(line)
	}
	return mark + strings.Join(lines, "\r\n")
}

type refusedDocument struct {
	URI string `json:"uri"`
	*api.Error
}

func refusalCode(ctx context.Context, code api.Code) int {
	switch code {
	case api.FileNotFound, api.FileNotIndexable, api.SymlinkNotAllowed:
		if mcp.IsModernProtocol(server.RequestProtocolVersion(ctx)) {
			return mcp.INVALID_PARAMS
		}
		return mcp.RESOURCE_NOT_FOUND
	case api.InvalidArgument, api.PermissionDenied:
		return mcp.INVALID_PARAMS
	}
	return mcp.INTERNAL_ERROR
}

func (r *Resources) document(ctx context.Context, uri string) (api.DocumentText, error) {
	s := session.FromContext(ctx)
	if s == nil {
		return api.DocumentText{}, api.New(api.Internal, "A document was read without a session.", "no session", nil)
	}
	engine, err := r.o.Wait(ctx)
	if err != nil {
		return api.DocumentText{}, err
	}
	folders := scope.Folders(ctx, s, engine)
	if len(folders) == 0 {
		return api.DocumentText{}, api.ErrFileNotFound(display.Short(uri))
	}
	uri, fragment, _ := strings.Cut(uri, "#")
	name, err := documentName(uri)
	if err != nil {
		return api.DocumentText{}, err
	}
	section, err := url.PathUnescape(fragment)
	if err != nil {
		return api.DocumentText{}, api.ErrArgument("uri", "a valid address: "+err.Error())
	}
	return engine.ReadDocument(ctx, folders, name, section)
}

// escaped percent-encodes the characters in uri that mcp-go does not accept.
func escaped(uri string) string {
	if !strings.HasPrefix(uri, scheme) {
		return uri
	}
	var b strings.Builder
	for i := range len(uri) {
		c := uri[i]
		code := c == '%' && i+2 < len(uri) && hex(uri[i+1]) && hex(uri[i+2])
		if c >= 0x80 || c <= ' ' || c == 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 || c == '%' && !code {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func hex(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

// documentName returns the name of the document at uri. It ignores a trailing slash, which some clients append.
func documentName(uri string) (string, error) {
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok {
		return "", api.ErrArgument("uri", "an address that begins with "+scheme)
	}
	name, err := url.PathUnescape(strings.TrimSuffix(rest, "/"))
	if err != nil {
		return "", api.ErrArgument("uri", "a valid address: "+err.Error())
	}
	if slices.Contains(strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '\\' }), "..") {
		return "", api.New(api.PermissionDenied, "That address is outside the document folder.", "a path with ..", nil)
	}
	return name, nil
}
