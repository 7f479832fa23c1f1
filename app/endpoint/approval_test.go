package endpoint

import (
	"io/fs"
	"os"
	"testing"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// TestApprovalNamesTheFolder checks that the engine gets the identity that the folder had when the user was asked, not
// a later one, in both eras of the protocol and from a window's preview.
func TestApprovalNamesTheFolder(t *testing.T) {
	folders := [2]fs.FileInfo{}
	for i := range folders {
		info, err := os.Stat(t.TempDir())
		must(t, err)
		folders[i] = info
	}
	for _, tool := range []string{"create_index", "reindex_project", "delete_index"} {
		for _, by := range []string{"handshake", "modern", "window"} {
			f, project := newFake(), "/p/new"
			if tool != "create_index" {
				f, project = newFake("shop"), "/p/shop"
			}
			f.folder = folders[0]
			replace := func() {
				f.mu.Lock()
				f.folder = folders[1]
				f.mu.Unlock()
			}
			h := serve(t, f)
			p := h.peer(t, &wire.Hello{Project: project})
			switch by {
			case "window": // its question about a deletion has no preview
				w := h.peer(t, &wire.Hello{Role: api.RoleWindow})
				w.consent = api.Accept
				w.handshake(nil)
				if tool != "delete_index" {
					w.call(string(wire.MethodPreview), wire.ProjectRef{Project: project})
					replace()
				}
				w.tool(tool, map[string]any{"project": project})
			case "modern":
				r := p.modernTool(tool, nil, elicitation, nil)
				replace()
				p.modernTool(tool, nil, elicitation, map[string]any{"requestState": r.State,
					"inputResponses": map[string]any{"confirm": accept(goAhead)}})
			default:
				p.handshake(elicitation)
				id := p.request("tools/call", map[string]any{"name": tool})
				q := p.asked("elicitation/create")
				replace()
				p.reply(q, accept(map[string]any{"confirm": true}))
				p.answer(id)
			}
			if len(f.approved) != 1 || f.approved[0].Folder != folders[0] || !f.approved[0].Yes() {
				t.Errorf("%s, %s: %+v", tool, by, f.approved)
			}
		}
	}
}
