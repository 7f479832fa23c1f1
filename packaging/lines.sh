#!/bin/sh
# Prints ARCHITECTURE.md's table of Go lines without tests by folder, at two commits: packaging/lines.sh e9eeed0 HEAD
# A folder that has moved since e9eeed0 counts where it is now.
set -eu
for commit in "$1" "$2"; do
	git grep -c '' "$commit" -- '*.go' ':!*_test.go'
done | sed -E '
	s#:(engine/search/quality|engine/secret/bench|engine/secret/corpus|assets/model/convert|assets/model/train)/#:app/bench/#
	s#:engine/secret/generate/#:packaging/#
	s#:engine/(docs|site|named|archive|markup|pdf|fulltext)/#:engine/sources/#
	s#:engine/(symbol|history|commit)/#:engine/search/#
	s#:engine/(chunk|embed)/#:engine/index/#
	s#:engine/(policy|secret|glob|scan|watch|repo|codepage)/#:engine/files/#
	s#:engine/(machine|memory|disk|throttle|jobs|native|worker)/#:engine/host/#
	s#:engine/bucket/#:engine/share/#' | awk -F: -v before="$1" '
	{
		depth = split($2, part, "/")
		folder = part[1]
		if (depth > 2 && (folder == "engine" || part[2] == "bench")) folder = folder "/" part[2]
		folders[folder]
		column = $1 == before ? "before" : "now"
		lines[folder, column] += $3
		total[column] += $3
	}
	END {
		for (f in folders) printf "| `%s` | %d | %d |\n", f, lines[f, "before"], lines[f, "now"] | "LC_ALL=C sort"
		close("LC_ALL=C sort")
		printf "| all | %d | %d |\n", total["before"], total["now"]
	}'
