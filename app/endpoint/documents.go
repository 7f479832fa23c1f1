package endpoint

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"sort"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/engine/api"
)

const (
	documentScheme   = "docs://"
	documentTemplate = documentScheme + "{+path}"
	documentPage     = 200 // documents a page of resources/list: about 60 KB of JSON
)

// plainText is a result that is text and nothing else.
type plainText struct{ text string }

// documentsGroup is search_documents, for sessions that have documents.
func (s *Server) documentsGroup() group {
	return group{name: groupDocuments, tools: []tool{searchDocuments()}, visible: func(ses *session) bool {
		src, ok := s.sources()
		ctx := context.Background() // it looks at names until it finds a document
		return ok && src.HasDocuments(ctx, s.documentFolders(ctx, ses))
	}}
}

func searchDocuments() tool {
	return tool{
		name: "search_documents", title: "Search documents",
		sentence: "Search documents by title or content",
		schema: `{"type":"object","properties":{` +
			`"query":{"type":"string","description":"Search query"},` +
			`"searchIn":{"type":"string","enum":["title","content","both"],"description":"Search target: title, content, or both","default":"both"},` +
			`"limit":{"type":"number","description":"Maximum number of results","default":10},` +
			`"fileTypes":{"type":"array","items":{"type":"string"},"description":"File extensions to search"}},"required":["query"]}`,
		params: []param{
			{name: "query", kind: kindString, required: true},
			{name: "searchIn", kind: kindString, def: "both", oneOf: []string{"title", "content", "both"}},
			{name: "limit", kind: kindNumber, min: 1, def: 10},
			{name: "fileTypes", kind: kindList},
		},
		readOnly: true, idempotent: true,
		run: func(ctx context.Context, c *call) (any, error) {
			src, err := c.sources()
			if err != nil {
				return nil, err
			}
			folders := c.srv.documentFolders(ctx, c.session)
			if len(folders) == 0 {
				return nil, api.New(api.DocsIndexNotFound, "There are no documents here. Index the project, or start the server with --docs and a folder.",
					"the session has no document folder", nil)
			}
			q := api.DocumentQuery{Text: c.args.text("query"), In: c.args.text("searchIn"), Limit: c.args.number("limit"), FileTypes: c.args.list("fileTypes")}
			c.activity.Query = q.Text
			text, n, err := src.SearchDocuments(ctx, folders, q)
			if err != nil {
				return nil, err
			}
			c.activity.Results = n
			return &plainText{shorten(visible(text), api.MaxResult)}, nil
		},
	}
}

// resourceHooks answer resources/list by session: the library's list is one for all of them.
func (s *Server) resourceHooks() *server.Hooks {
	h := &server.Hooks{}
	h.AddBeforeListTools(func(ctx context.Context, _ any, _ *mcp.ListToolsRequest) { s.awaitEngine(ctx, listWait) })
	h.AddBeforeListResources(func(ctx context.Context, _ any, _ *mcp.ListResourcesRequest) { s.awaitEngine(ctx, listWait) })
	h.AddBeforeListResourceTemplates(func(ctx context.Context, _ any, _ *mcp.ListResourceTemplatesRequest) {
		s.awaitEngine(ctx, listWait)
	})
	h.AddBeforeCallTool(func(ctx context.Context, _ any, r *mcp.CallToolRequest) {
		if ses := sessionOf(ctx); ses != nil {
			if _, served := s.tools.find(r.Params.Name, ses); !served { // those that are served wait by themselves
				s.awaitEngine(ctx, startWait)
			}
		}
	})
	h.AddAfterListResources(func(ctx context.Context, _ any, r *mcp.ListResourcesRequest, result *mcp.ListResourcesResult) {
		s.listDocuments(ctx, r, result)
	})
	h.AddAfterListResourceTemplates(func(ctx context.Context, _ any, _ *mcp.ListResourceTemplatesRequest, result *mcp.ListResourceTemplatesResult) {
		if ses := sessionOf(ctx); ses == nil || len(s.documentFolders(ctx, ses)) == 0 {
			result.ResourceTemplates = []mcp.ResourceTemplate{}
		}
	})
	return h
}

// serveDocuments makes resources/read answer for every docs:// URI.
func (s *Server) serveDocuments() {
	s.mcp.AddResourceTemplate(mcp.NewResourceTemplate(documentTemplate, "documents",
		mcp.WithTemplateDescription("A document of the project's or the document folder: Markdown, HTML (as Markdown) or plain text")), s.readDocument)
}

// listDocuments fills one page. The cursor is the name of the last document of the page before, in base64, as the
// library writes and checks it; names are unique within a session.
func (s *Server) listDocuments(ctx context.Context, r *mcp.ListResourcesRequest, result *mcp.ListResourcesResult) {
	ses := sessionOf(ctx)
	src, ok := s.sources()
	if ses == nil || !ok {
		return
	}
	list, err := src.Documents(ctx, s.documentFolders(ctx, ses))
	if err != nil {
		s.log.Error("documents not listed", "session", ses.id, "err", err)
		return
	}
	from := 0
	if last, err := base64.StdEncoding.DecodeString(string(r.Params.Cursor)); err == nil && len(last) > 0 {
		from = sort.Search(len(list), func(i int) bool { return list[i].Name > string(last) })
	}
	page := list[from:min(len(list), from+documentPage)]
	resources := make([]mcp.Resource, 0, len(page))
	for _, d := range page {
		m := mcp.NewResource(d.URI, visible(d.Name), mcp.WithResourceDescription(visible(d.Description)), mcp.WithMIMEType(d.MIMEType))
		m.Title = visible(d.Title)
		resources = append(resources, m)
	}
	result.Resources = resources
	if from+len(page) < len(list) {
		result.NextCursor = mcp.Cursor(base64.StdEncoding.EncodeToString([]byte(page[len(page)-1].Name)))
	}
}

// readDocument serves resources/read.
func (s *Server) readDocument(ctx context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	d, err := s.document(ctx, r.Params.URI)
	if err != nil {
		e := s.explain("resources/read", err)
		refuse(ctx, refusalCode(ctx, e.Code), refusedDocument{shorten(visible(r.Params.URI), maxEcho), e})
		return nil, fmt.Errorf("%s: %s", e.Code, visible(e.UserMessage)) // clients show the message and nothing else
	}
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.Params.URI, MIMEType: d.MIMEType, Text: visible(d.Text)}}, nil
}

// refusedDocument is the data of an error of resources/read.
type refusedDocument struct {
	URI string `json:"uri"`
	*api.Error
}

// refusalCode is MCP's for a document that is not served: «resource not found», which is an invalid parameter since
// 2026-07-28, and an invalid parameter for an address that could never be one's. Everything else is our own fault.
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

func (s *Server) document(ctx context.Context, uri string) (api.DocumentText, error) {
	ses := sessionOf(ctx)
	if ses == nil {
		return api.DocumentText{}, api.New(api.Internal, "A document was read without a session.", "no session", nil)
	}
	b, err := s.engine(ctx, startWait)
	if err != nil {
		return api.DocumentText{}, err
	}
	src, ok := b.(Sources)
	folders := s.documentFolders(ctx, ses)
	if !ok || len(folders) == 0 {
		return api.DocumentText{}, api.ErrFileNotFound(shorten(visible(uri), maxEcho))
	}
	name, err := documentName(uri)
	if err != nil {
		return api.DocumentText{}, err
	}
	return src.ReadDocument(ctx, folders, name)
}

// documentName decodes a docs:// URI. A slash at the end is what some clients add to what they take for a host.
func documentName(uri string) (string, error) {
	rest, ok := strings.CutPrefix(uri, documentScheme)
	if !ok {
		return "", api.ErrArgument("uri", "an address that begins with "+documentScheme)
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
