// Command distil writes assets/model/static.bin, the table of engine/index/embed/static, with a vector for each token
// of the embedding model's vocabulary.
//
// The model embeds each token alone, between [CLS] and [SEP]. From these vectors, distil subtracts their mean and
// their first principal component, which all texts have in common (Mu and Viswanath, ICLR 2018). It multiplies each
// vector by a/(a+p), where p is the token's share of all tokens of code and documents (Arora, Liang and Ma, ICLR
// 2017). Weights by rank (Zipf's law) gave clearly worse results. A row of the table has eight bits per dimension and
// a scale.
//
// The output depends only on the model and the source folders.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"searchmcp/assets/model"
	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/index/chunk/treesitter"
	"searchmcp/engine/index/embed"
	"searchmcp/engine/index/embed/onnx"
	"searchmcp/engine/index/embed/static"
	"searchmcp/engine/index/embed/wordpiece"
	"searchmcp/packaging/command"
)

// rare is a in the weight a/(a+p). A token with this share of all tokens has half the weight of a rare token.
const rare = 1e-3

// sampleInterval is the sampling interval. The tokens of one chunk in four are counted.
const sampleInterval = 4

func main() {
	out := flag.String("out", "assets/model", "folder with the model's manifest")
	flag.Usage = func() { fmt.Fprintln(flag.CommandLine.Output(), "usage: distil [-out DIR] SOURCE-FOLDER...") }
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	command.Main("distil", func(ctx context.Context) error { return run(ctx, *out, flag.Args()) })
}

func run(ctx context.Context, dir string, sources []string) error {
	vocab, err := wordpiece.NewVocabulary(model.Vocab())
	if err != nil {
		return err
	}
	share, err := tokenShares(ctx, vocab, sources)
	if err != nil {
		return err
	}
	rows, err := tokenVectors(ctx, vocab.Size())
	if err != nil {
		return err
	}
	removeCommon(rows)
	var b bytes.Buffer
	for id := range rows {
		appendRow(&b, &rows[id], rare/(rare+share[id]))
	}
	sum := sha256.Sum256(b.Bytes())
	m, err := model.Bundled()
	if err != nil {
		return err
	}
	m.Static = model.File{Name: "static.bin", SHA256: hex.EncodeToString(sum[:]), Size: int64(b.Len())}
	manifest, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes, SHA-256 %s\n", m.Static.Name, m.Static.Size, m.Static.SHA256)
	if err := os.WriteFile(filepath.Join(dir, m.Static.Name), b.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "model.json"), append(manifest, '\n'), 0o644)
}

// tokenShares returns each token's share of all tokens in the inputs of the embedding model, which are made from the
// chunks of the source folders.
func tokenShares(ctx context.Context, vocab *wordpiece.Vocabulary, sources []string) ([]float64, error) {
	counts, all, chunks := make([]float64, vocab.Size()), 0.0, 0
	encoder := wordpiece.NewEncoder(vocab)
	for _, root := range sources {
		pol, err := policy.New(root, api.DefaultConfig())
		if err != nil {
			return nil, err
		}
		cutter := chunk.New(chunk.NewTrees(treesitter.Parse))
		_, err = scan.Walk(ctx, pol, func(f scan.File) error {
			data, _, reason, err := pol.Read(f.Path)
			if err != nil || reason != api.SkipNone {
				return err
			}
			list, _, err := cutter.Chunk(ctx, f.Path, f.Corpus, data, scan.Hash(data))
			for _, c := range list {
				if chunks++; chunks%sampleInterval != 0 {
					continue
				}
				ids := encoder.Encode(nil, string(embed.AppendSplit(nil, embed.Input(c))), embed.TextTokens)
				for _, id := range ids[1 : len(ids)-1] {
					counts[id]++
					all++
				}
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", root, err)
		}
	}
	fmt.Printf("%d chunks, one in %d sampled, %.0f tokens\n", chunks, sampleInterval, all)
	for id := range counts {
		counts[id] /= all
	}
	return counts, nil
}

// tokenVectors returns the vector of each of the n tokens, embedded alone.
func tokenVectors(ctx context.Context, n int) ([]api.Vector, error) {
	e, err := onnx.Open(ctx, onnx.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	rows := make([]api.Vector, n)
	var g errgroup.Group
	g.SetLimit(2)
	for id := range rows {
		g.Go(func() (err error) {
			rows[id], err = e.Token(int32(id))
			return err
		})
	}
	return rows, g.Wait()
}

func removeCommon(rows []api.Vector) {
	var mean [api.VectorDim]float64
	for r := range rows {
		for i, x := range rows[r] {
			mean[i] += float64(x) / float64(len(rows))
		}
	}
	var cov [api.VectorDim][api.VectorDim]float64
	for r := range rows {
		for i := range rows[r] {
			rows[r][i] -= float32(mean[i])
		}
		for i, x := range rows[r] {
			for j, y := range rows[r] {
				cov[i][j] += float64(x) * float64(y)
			}
		}
	}
	var first [api.VectorDim]float64
	for i := range first {
		first[i] = 1
	}
	for range 200 { // power iteration
		var next [api.VectorDim]float64
		length := 0.0
		for i := range cov {
			for j := range cov {
				next[i] += cov[i][j] * first[j]
			}
			length += next[i] * next[i]
		}
		for i := range next {
			first[i] = next[i] / math.Sqrt(length)
		}
	}
	for r := range rows {
		along := 0.0
		for i, x := range rows[r] {
			along += float64(x) * first[i]
		}
		for i := range rows[r] {
			rows[r][i] -= float32(along * first[i])
		}
	}
}

// appendRow appends a row, multiplied by weight, in the format of package static.
func appendRow(b *bytes.Buffer, row *api.Vector, weight float64) {
	largest := 0.0
	for _, x := range row {
		largest = max(largest, math.Abs(float64(x)))
	}
	var out [static.RowSize]byte
	if largest > 0 {
		binary.LittleEndian.PutUint32(out[:], math.Float32bits(float32(weight*largest/math.MaxInt8)))
		for i, x := range row {
			out[4+i] = byte(int8(math.Round(float64(x) / largest * math.MaxInt8)))
		}
	}
	b.Write(out[:])
}
