"""Trains the embedding model on questions and the code that answers them; see README.md.

    python train.py --published model.safetensors --out tuned.safetensors packages.jsonl
    python train.py --published model.safetensors --out tuned.safetensors --start first.safetensors packages.jsonl more.jsonl

The packages are what the command beside this file writes, model.safetensors the published weights. tuned.safetensors
gets what training adds to them. --start goes on from what an earlier run added, with most of the questions from the
last file of packages, and ends at the mean of the weights that it began and ended with. Needs torch and safetensors. On
two cores with bfloat16 (AVX512-BF16) either takes an hour.
"""

import argparse
import json
import math
import random

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file

HIDDEN, HEADS, LAYERS = 384, 12, 6
RATE = 2.5e-5  # of the first full step; it falls to nothing
EPOCHS = 1.2  # of the last file's questions
SHARE = 0.7  # of a batch's groups are of the last file, where there are two
PACKAGES, QUESTIONS = 4, 8  # in a batch; questions of one package are each other's hard negatives
SCALE = 20  # of cosines in the loss: what the published model was trained with
OUTLINES = 0.25  # of answers are the outline of the file instead of the chunk
NEAREST = slice(2, 20)  # wrong chunks by nearness; the first two are too often right as well
HELD = 36  # packages are not trained on


def encode(weights, ids, mask):
    """Mean-pooled unit vectors of a batch of token ids, by a BERT encoder (Devlin et al. 2019)."""
    w = weights.__getitem__
    x = w("embeddings.word_embeddings.weight")[ids] + w("embeddings.position_embeddings.weight")[: ids.shape[1]]
    x = x + w("embeddings.token_type_embeddings.weight")[0]
    x = F.layer_norm(x, (HIDDEN,), w("embeddings.LayerNorm.weight"), w("embeddings.LayerNorm.bias"), 1e-12)
    unseen = torch.zeros(mask.shape[0], 1, 1, mask.shape[1]).masked_fill(mask[:, None, None, :] == 0, -1e4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        unseen = unseen.to(torch.bfloat16)
        for layer in range(LAYERS):
            x = block(weights, f"encoder.layer.{layer}.", x, unseen)
    m = mask[:, :, None].float()
    return F.normalize((x.float() * m).sum(1) / m.sum(1), dim=-1)


def block(weights, prefix, x, unseen):
    """One layer: attention and the network behind it, each added to its input and normalised."""

    def linear(y, name):
        return F.linear(y, weights[prefix + name + ".weight"], weights[prefix + name + ".bias"])

    def normal(y, name):
        scale, shift = weights[prefix + name + ".weight"], weights[prefix + name + ".bias"]
        return F.layer_norm(y.float(), (HIDDEN,), scale, shift, 1e-12)

    def heads(y):
        return y.view(*y.shape[:2], HEADS, HIDDEN // HEADS).transpose(1, 2)

    query, key, value = (heads(linear(x, "attention.self." + n)) for n in ("query", "key", "value"))
    seen = F.scaled_dot_product_attention(query, key, value, attn_mask=unseen).transpose(1, 2).reshape(x.shape)
    x = normal(x + linear(seen, "attention.output.dense"), "attention.output.LayerNorm")
    inner = F.gelu(linear(x, "intermediate.dense"))
    return normal(x + linear(inner, "output.dense"), "output.LayerNorm")


def padded(texts):
    """Token ids of different lengths as one matrix, and which of it are tokens."""
    width = max(len(t) for t in texts)
    ids, mask = torch.zeros(len(texts), width, dtype=torch.long), torch.zeros(len(texts), width)
    for i, t in enumerate(texts):
        ids[i, : len(t)], mask[i, : len(t)] = torch.tensor(t), 1
    return ids, mask


@torch.no_grad()
def vectors(weights, texts):
    """Vectors of many texts, those of like length together."""
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    out = torch.zeros(len(texts), HIDDEN)
    for at in range(0, len(order), 64):
        part = order[at : at + 64]
        out[part] = encode(weights, *padded([texts[i] for i in part]))
    return out


def mistaken(weights, package):
    """For each question, the chunks of other files that the model takes for an answer."""
    near = vectors(weights, package["questions"]) @ vectors(weights, package["chunks"]).T
    out = []
    for scores, answer in zip(near, package["answer"]):
        right = package["file"][answer]
        order = [i for i in scores.argsort(descending=True).tolist() if package["file"][i] != right]
        out.append(order[NEAREST] or order)
    return out


def ndcg(weights, packages):
    """NDCG@10 of files by vectors alone; each question has one right file."""
    total = []
    for p in packages:
        near = vectors(weights, p["questions"]) @ vectors(weights, p["chunks"]).T
        for scores, answer in zip(near, p["answer"]):
            files = list(dict.fromkeys(p["file"][i] for i in scores.argsort(descending=True).tolist()))[:10]
            right = p["file"][answer]
            total.append(1 / math.log2(files.index(right) + 2) if right in files else 0.0)
    return sum(total) / len(total)


def groups(packages):
    """Without end: the questions that stand in a batch together, as pairs of a package and a question's number."""
    while True:
        out = []
        for p in packages:
            order = random.sample(range(len(p["questions"])), len(p["questions"]))
            out += [[(p, n) for n in order[i : i + QUESTIONS]] for i in range(0, len(order), QUESTIONS)]
        random.shuffle(out)
        yield from out


def batches(files):
    """Without end: batches of questions, of the last file's packages oftener than of those before."""
    *older, newest = [groups(packages) for packages in files]
    while True:
        batch = []
        while len(batch) < PACKAGES * QUESTIONS:
            batch += next(older[0] if older and random.random() >= SHARE else newest)
        yield batch[: PACKAGES * QUESTIONS]


def loss_of(weights, batch):
    """Cross entropy over the batch's answers and one mistaken chunk for each, both ways (Henderson et al. 2017). Other
    chunks of an answer's file are neither right nor wrong."""
    questions, chunks, files = [], [], []
    for p, n in batch:
        at = p["answer"][n]
        outlines = [i for i, f in enumerate(p["file"]) if f == p["file"][at] and p["outline"][i]]
        if outlines and random.random() < OUTLINES:
            at = outlines[0]
        questions.append(p["questions"][n])
        chunks.append(p["chunks"][at])
        files.append((p["package"], p["file"][at]))
    for p, n in batch:
        at = random.choice(p["mistaken"][n]) if p["mistaken"][n] else 0
        chunks.append(p["chunks"][at])
        files.append((p["package"], p["file"][at]))
    near = SCALE * encode(weights, *padded(questions)) @ encode(weights, *padded(chunks)).T
    same = torch.tensor([[files[i] == files[j] and i != j for j in range(len(files))] for i in range(len(batch))])
    right = torch.arange(len(batch))
    forth = F.cross_entropy(near.masked_fill(same, -1e4), right)
    back = F.cross_entropy(near[:, : len(batch)].T.masked_fill(same[:, : len(batch)], -1e4), right)
    return 0.75 * forth + 0.25 * back


def train(start, files):
    """Returns the new weights. The words' embeddings stay as they are: most words are in no question."""
    fixed = ("embeddings.word", "embeddings.token_type", "pooler")
    weights = {k: torch.nn.Parameter(v.clone(), requires_grad=not k.startswith(fixed)) for k, v in start.items()}
    learnt = [v for v in weights.values() if v.requires_grad]
    optimizer = torch.optim.AdamW(learnt, lr=RATE, weight_decay=0.01, betas=(0.9, 0.98))
    share = SHARE if len(files) > 1 else 1
    steps = int(EPOCHS * sum(len(p["questions"]) for p in files[-1]) / share / (PACKAGES * QUESTIONS))
    losses = []
    for step, batch in zip(range(steps), batches(files)):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / 40) * max(0.03, 1 - step / steps)
        loss = loss_of(weights, batch)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learnt, 1.0)
        optimizer.step()
        losses.append(loss.item())
        if (step + 1) % 40 == 0:
            print(f"step {step + 1} of {steps}, loss {sum(losses[-40:]) / 40:.3f}", flush=True)
    return {k: v.detach() for k, v in weights.items()}


def differences(old, new):
    """What was added, as convert reads it: of matrices four bits (-7 to 7) times a scale of the row, of vectors float32."""
    out = {}
    for name, weight in new.items():
        d = weight - old[name]
        if not d.any():
            continue
        if d.dim() != 2:
            out[name] = d
            continue
        scale = d.abs().amax(1).clamp(min=1e-12) / 7
        out[name] = (d / scale[:, None]).round().to(torch.int8)
        out[name + ".scale"] = scale
    return out


def added(old, file):
    """The weights that a file of differences makes of the published ones."""
    saved, new = load_file(file), dict(old)
    for name, d in saved.items():
        if not name.endswith(".scale"):
            scale = saved.get(name + ".scale")
            new[name] = old[name] + (d if scale is None else d.float() * scale[:, None])
    return new


def main(args):
    torch.manual_seed(3)
    random.seed(3)
    files = []
    for name in args.packages:
        with open(name) as f:
            files.append([p for p in map(json.loads, f) if p["questions"]])
    old = {k: v for k, v in load_file(args.published).items() if v.dtype == torch.float32}
    start = added(old, args.start) if args.start else old
    held = []
    for packages in files:
        random.Random(7).shuffle(packages)
        held += [p for p in packages if len(p["questions"]) >= 12][:HELD]
    names = {h["package"] for h in held}
    trained = [[p for p in packages if p["package"] not in names] for packages in files]
    print(f"held out: NDCG@10 {ndcg(start, held):.4f} before", flush=True)
    for p in (p for packages in trained for p in packages):
        p["mistaken"] = mistaken(start, p)
    new = train(start, trained)
    if args.start:
        new = {k: (start[k] + w) / 2 for k, w in new.items()}
    save_file(differences(old, new), args.out)
    print(f"held out: NDCG@10 {ndcg(new, held):.4f} after")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--published", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--start")
    parser.add_argument("packages", nargs="+")
    main(parser.parse_args())
