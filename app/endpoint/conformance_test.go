package endpoint

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/session"
)

// clientsEnv contains the folder into which packaging/clients was installed.
const clientsEnv = "SEARCH_MCP_CLIENTS"

// TestConformance runs the official suite against this package's sessions, which also serve the suite's fixtures. It
// needs Node 22 and the suite from npm, so only `make test-clients` runs it.
func TestConformance(t *testing.T) {
	folder := os.Getenv(clientsEnv)
	if folder == "" {
		t.Skip(clientsEnv + " is not set: make test-clients sets it")
	}
	h := serve(t, Options{Engine: newFake("a")})
	fixtures(h.Server)
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { served <- h.Serve(ctx, l) }()
	web := httptest.NewServer(&front{dial: func() (net.Conn, error) { return net.Dial("unix", l.Addr().String()) },
		relays: map[string]*relay{}})
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	node := filepath.Join(folder, "node_modules", "node", "bin", "node")
	suite := filepath.Join(folder, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")
	cmd := exec.CommandContext(t.Context(), node, suite, "server", "--url", web.URL+"/mcp", "--suite", "all")
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	_, summary, found := strings.Cut(string(out), "=== SUMMARY ===")
	if err != nil || !found {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", summary)
	total := regexp.MustCompile(`Total: (\d+) passed, (\d+) failed`).FindStringSubmatch(summary)
	if total == nil || total[1] == "0" || total[2] != "0" {
		t.Errorf("the suite counts %v\n%s", total, out)
	}
}

func fixtures(s *Server) {
	server.WithResourceCapabilities(true, true)(s.mcp)
	server.WithCompletions()(s.mcp)
	server.WithPromptCompletionProvider(completions{})(s.mcp)
	s.mcp.AddTools(fixtureTools()...)
	fixtureResources(s.mcp)
	fixturePrompts(s.mcp)
}

type completions struct{}

func (completions) CompletePromptArgument(_ context.Context, _ string, a mcp.CompleteArgument,
	_ mcp.CompleteContext) (*mcp.Completion, error) {
	return &mcp.Completion{Values: []string{a.Value + "ris"}, Total: 1}, nil
}

const (
	// a PNG of one pixel
	pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
	// an empty WAV
	silence = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
)

func textResource(uri, kind, text string) mcp.TextResourceContents {
	return mcp.TextResourceContents{URI: uri, MIMEType: kind, Text: text}
}

// fixtureTools are the tools of the suite's server scenarios, with its names and answers.
func fixtureTools() []server.ServerTool {
	var list []server.ServerTool
	add := func(name, schema string, run func(context.Context, *session.Session,
		mcp.CallToolRequest) (*mcp.CallToolResult, error)) {
		if schema == "" {
			schema = `{"type":"object","properties":{}}`
		}
		list = append(list, server.ServerTool{
			Tool: mcp.NewToolWithRawSchema(name, "Fixture "+name+" of the conformance suite", json.RawMessage(schema)),
			Handler: func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return run(ctx, session.Of(ctx), r)
			},
		})
	}
	constant := func(name, schema string, isError bool, content ...mcp.Content) {
		add(name, schema, func(context.Context, *session.Session, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: content, IsError: isError}, nil
		})
	}
	image := mcp.NewImageContent(pixel, "image/png")
	constant("test_simple_text", "", false, mcp.NewTextContent("This is a simple text response for testing."))
	constant("test_image_content", "", false, image)
	constant("test_audio_content", "", false, mcp.NewAudioContent(silence, "audio/wav"))
	constant("test_embedded_resource", "", false, mcp.NewEmbeddedResource(textResource("test://embedded-resource",
		"text/plain", "This is an embedded resource content.")))
	constant("test_multiple_content_types", "", false, mcp.NewTextContent("Multiple content types test:"), image,
		mcp.NewEmbeddedResource(textResource("test://mixed-content-resource", "application/json",
			`{"test":"data","value":123}`)))
	constant("test_error_handling", "", true, mcp.NewTextContent("This tool intentionally returns an error for testing"))
	constant("json_schema_2020_12_tool", `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
		"$defs":{"address":{"type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
		"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"}},"additionalProperties":false}`, false, mcp.NewTextContent("ok"))
	add("test_tool_with_logging", "", func(_ context.Context, s *session.Session,
		_ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
			if err := s.Notify("notifications/message", map[string]any{"level": "info", "logger": "fixture",
				"data": text}); err != nil {
				return nil, err
			}
		}
		return mcp.NewToolResultText("Tool with logging executed successfully"), nil
	})
	add("test_tool_with_progress", "", func(_ context.Context, s *session.Session,
		r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, n := range []int{0, 50, 100} {
			if err := s.Notify("notifications/progress", map[string]any{"progressToken": r.Params.Meta.ProgressToken,
				"progress": n, "total": 100}); err != nil {
				return nil, err
			}
		}
		return mcp.NewToolResultText("progress reported"), nil
	})
	add("test_sampling", `{"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]}`,
		func(ctx context.Context, s *session.Session, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var answer struct{ Content struct{ Text string } }
			err := s.Ask(ctx, mcp.MethodSamplingCreateMessage, map[string]any{"maxTokens": 100, "messages": []any{map[string]any{
				"role": "user", "content": mcp.NewTextContent(r.GetString("prompt", ""))}}}, &answer)
			return mcp.NewToolResultText("LLM response: " + answer.Content.Text), err
		})
	for name, form := range fixtureForms() {
		add(name, `{"type":"object","properties":{"message":{"type":"string"}}}`, func(ctx context.Context,
			s *session.Session, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			a, err := s.RequestElicitation(ctx, mcp.ElicitationRequest{Params: mcp.ElicitationParams{
				Message: r.GetString("message", "Please answer"), RequestedSchema: map[string]any{"type": "object",
					"properties": form}}})
			if err != nil {
				return nil, err
			}
			return mcp.NewToolResultText(fmt.Sprintf("Elicitation completed: action=%s, content=%v", a.Action, a.Content)), nil
		})
	}
	return list
}

// fixtureForms are the forms of the elicitation scenarios (SEP-1034, SEP-1330).
func fixtureForms() map[string]map[string]any {
	type m = map[string]any
	options := []string{"option1", "option2", "option3"}
	titled := []any{m{"const": "value1", "title": "First Option"}, m{"const": "value2", "title": "Second Option"}}
	return map[string]map[string]any{
		"test_elicitation": {"username": m{"type": "string"}, "email": m{"type": "string"}},
		"test_elicitation_sep1034_defaults": {
			"name": m{"type": "string", "default": "John Doe"}, "age": m{"type": "integer", "default": 30},
			"score":    m{"type": "number", "default": 95.5},
			"status":   m{"type": "string", "enum": []string{"active", "inactive", "pending"}, "default": "active"},
			"verified": m{"type": "boolean", "default": true},
		},
		"test_elicitation_sep1330_enums": {
			"untitledSingle": m{"type": "string", "enum": options},
			"titledSingle":   m{"type": "string", "oneOf": titled},
			"legacyEnum": m{"type": "string", "enum": []string{"opt1", "opt2"},
				"enumNames": []string{"Option One", "Option Two"}},
			"untitledMulti": m{"type": "array", "items": m{"type": "string", "enum": options}},
			"titledMulti":   m{"type": "array", "items": m{"anyOf": titled}},
		},
	}
}

func fixtureResources(s *server.MCPServer) {
	add := func(uri, name, kind string, content mcp.ResourceContents) {
		s.AddResource(mcp.Resource{URI: uri, Name: name, Description: "Fixture " + name, MIMEType: kind},
			func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				return []mcp.ResourceContents{content}, nil
			})
	}
	add("test://static-text", "static-text", "text/plain", textResource("test://static-text", "text/plain",
		"This is the content of the static text resource."))
	add("test://static-binary", "static-binary", "image/png", mcp.BlobResourceContents{URI: "test://static-binary",
		MIMEType: "image/png", Blob: pixel})
	add("test://watched-resource", "watched-resource", "text/plain", textResource("test://watched-resource", "text/plain",
		"Watched resource content"))
	s.AddResourceTemplate(mcp.NewResourceTemplate("test://template/{id}/data", "template",
		mcp.WithTemplateMIMEType("application/json")),
		func(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(r.Params.URI, "test://template/"), "/data")
			data := fmt.Sprintf(`{"id":%q,"templateTest":true,"data":%q}`, id, "Data for ID: "+id)
			return []mcp.ResourceContents{textResource(r.Params.URI, "application/json", data)}, nil
		})
}

func fixturePrompts(s *server.MCPServer) {
	user := func(c mcp.Content) mcp.PromptMessage { return mcp.NewPromptMessage(mcp.RoleUser, c) }
	add := func(name string, arguments []string, messages func(given map[string]string) []mcp.PromptMessage) {
		p := mcp.Prompt{Name: name, Description: "Fixture " + name}
		for _, a := range arguments {
			p.Arguments = append(p.Arguments, mcp.PromptArgument{Name: a, Description: a, Required: true})
		}
		s.AddPrompt(p, func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return mcp.NewGetPromptResult("", messages(r.Params.Arguments)), nil
		})
	}
	add("test_simple_prompt", nil, func(map[string]string) []mcp.PromptMessage {
		return []mcp.PromptMessage{user(mcp.NewTextContent("This is a simple prompt for testing."))}
	})
	add("test_prompt_with_arguments", []string{"arg1", "arg2"}, func(given map[string]string) []mcp.PromptMessage {
		return []mcp.PromptMessage{user(mcp.NewTextContent(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'",
			given["arg1"], given["arg2"])))}
	})
	add("test_prompt_with_embedded_resource", []string{"resourceUri"}, func(given map[string]string) []mcp.PromptMessage {
		return []mcp.PromptMessage{
			user(mcp.NewEmbeddedResource(textResource(given["resourceUri"], "text/plain",
				"Embedded resource content for testing."))),
			user(mcp.NewTextContent("Please process the embedded resource above.")),
		}
	})
	add("test_prompt_with_image", nil, func(map[string]string) []mcp.PromptMessage {
		return []mcp.PromptMessage{user(mcp.NewImageContent(pixel, "image/png")),
			user(mcp.NewTextContent("Please analyze the image above."))}
	})
}
