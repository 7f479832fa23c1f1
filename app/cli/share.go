package cli

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
)

func (v *invocation) shareCommand() *cobra.Command {
	build := command("build", "Complete the project's index, including its vectors, so that it can be published",
		func(ctx context.Context, _ []string) error { return v.build(ctx) })
	cmd := v.group("share", "Use or publish an index that a team shares on S3-compatible storage",
		v.withYes(v.withProject(build)), v.sharePublishCommand(), v.shareAddCommand(), v.shareRemoveCommand())
	cmd.Long = "A shared index is built once and used by the whole team: its files need not be indexed on each " +
		"computer, and changed files are found in the computer's own index. The app publishes an index or connects to " +
		"a bucket only after you run one of these commands.\n\nA location is s3://bucket/prefix. For a service other " +
		"than Amazon S3 add its address: 's3://bucket/prefix?endpoint=https://host'. Credentials come from the " +
		"environment of Search MCP's app (AWS_ACCESS_KEY_ID and similar) or ~/.aws/credentials. They are never written " +
		"to disk."
	return cmd
}

func (v *invocation) build(ctx context.Context) error {
	err := v.change(ctx, "create_index", map[string]any{}, func(r changed) {
		v.printf("%s: %s, %s\n", v.style.Good(say("Index complete")), many(r.FilesIndexed, "file"),
			many(r.ChunksCreated, "passage"))
	})
	if api.CodeOf(err) == api.AlreadyIndexed {
		return v.done("Index complete", nil)
	}
	return err
}

func (v *invocation) sharePublishCommand() *cobra.Command {
	const short = "Complete the project's index and write it to S3-compatible storage"
	cmd := command("publish LOCATION", short, func(ctx context.Context, args []string) error {
		err := v.consent(ctx, args[0], "The text of every indexed file of this project will be copied to\n  %s\n"+
			"Every user who can read that bucket can then read it.")
		if err != nil {
			return err
		}
		building := *v
		if building.asJSON = false; v.asJSON {
			building.Out = v.Err
		}
		if err := building.build(ctx); err != nil {
			return err
		}
		return v.with(ctx, func(c *client.Client) error { return v.publish(ctx, c, args[0]) })
	})
	cmd.Long = short + ", where others can add it. " +
		"Anyone who can read the bucket can then read the text of the indexed files. " +
		"In a CI job: search-mcp share publish --yes s3://bucket/prefix"
	return v.withYes(v.withProject(cmd))
}

func (v *invocation) publish(ctx context.Context, c *client.Client, location string) error {
	var p api.Publication
	err := v.reporting(ctx, c, func(ctx context.Context, c wire.Caller) (err error) {
		p, err = wire.MethodSharePublish.Call(ctx, c, wire.Share{ProjectRef: v.ref(), Location: location})
		return err
	}, "nothing was published; the previous publication stays in use")
	if err != nil || v.asJSON {
		return printAnswer(v, p, err, nil)
	}
	what := say("%s, %s at %s", many(p.Files, "file"), many(p.Chunks, "passage"), clean(p.Location))
	if p.Unchanged {
		v.printf("%s: %s\n", v.style.Good(say("Nothing has changed since %s", date(p.Published))), what)
	} else {
		v.printf("%s: %s\n", v.style.Good(say("Published")), say("%s; %s sent", what, many(int(p.VectorsSent), "vector")))
	}
	v.printf("%s\n", say("Others add it with: search-mcp share add '%s'", clean(p.Location)))
	return nil
}

func (v *invocation) shareAddCommand() *cobra.Command {
	const short = "Use a shared index in addition to the project's own index"
	cmd := v.connected("add LOCATION", short, func(ctx context.Context, c *client.Client, args []string) error {
		err := v.consent(ctx, args[0], "Search MCP will fetch the shared index at\n  %s\n"+
			"and connect to that storage four times an hour to look for a newer one. Your own changes stay on this computer.")
		if err != nil {
			return err
		}
		p, err := wire.MethodShareAdd.Call(ctx, c, wire.Share{ProjectRef: v.ref(), Location: args[0]})
		return printAnswer(v, p, err, func() {
			v.printf("%s\n", say("Added to %s. Its files are being compared with yours; searches already answer.",
				clean(p.Root())))
			v.printShared(p.Shared)
		})
	})
	return v.withYes(v.withProject(cmd))
}

func (v *invocation) shareRemoveCommand() *cobra.Command {
	return v.withProject(methodCommand(v, "remove",
		"Remove the shared index; its files are then indexed on this computer", wire.MethodShareRemove,
		func([]string) (wire.ProjectRef, error) { return v.ref(), nil }, func(p api.Project) {
			v.printf("%s\n", say("Removed. The files of %s are now being indexed on this computer.", clean(p.Root())))
		}))
}

// consent inserts location into question and asks the user for approval. A malformed location is an error.
func (v *invocation) consent(ctx context.Context, location string, question translations.Text) error {
	u, err := url.Parse(location)
	if err != nil || u.Scheme != "s3" || u.Host == "" {
		return api.ErrArgument("LOCATION", "s3://bucket/prefix, if necessary with ?endpoint=https://host")
	}
	fmt.Fprintln(v.Err, say(question, clean(location)))
	return v.agree(ctx)
}

func (v *invocation) printShared(s *api.SharedIndex) {
	if s == nil {
		return
	}
	parts := []string{say("Shared index %s", clean(s.Location))}
	if s.Published.IsZero() {
		parts = append(parts, say("not downloaded yet"))
	} else {
		parts = append(parts, many(s.Files, "file"), many(s.Chunks, "passage"), say("published %s", date(s.Published)))
	}
	if !s.Checked.IsZero() {
		parts = append(parts, say("checked for a newer one %s", ago(s.Checked, time.Now())))
	}
	v.printf("%s\n", strings.Join(parts, " · "))
	if s.Note != "" {
		v.printf("%s\n", sentence(s.Note))
	}
	if s.Problem != "" {
		v.printf("%s\n", v.style.Warning(sentence(s.Problem)))
	}
}
