"""Makes the ranking's trees of what the command beside this file writes; see README.md.

    python train.py signals.jsonl trees.json

Learns from the part "training" alone, and of it not from what was written as a message of a change: such messages are
unlike real ones. All questions of other parts, if there are any, judge: NDCG@10 of the files that lead the sum, by the sum
and with the trees. Needs lightgbm and numpy.
"""

import json
import math
import sys

import lightgbm
import numpy

SCALE = 6  # of a score in the trees' unit: they learn what to add to SCALE times the sum
TREES = 600
LEARN = dict(
    objective="lambdarank",
    lambdarank_truncation_level=8,  # the order of the first files is what counts
    learning_rate=0.05,
    num_leaves=4,  # small trees of many files: readers ask alike, persons don't
    min_data_in_leaf=1000,  # files, of some 240,000
    feature_fraction=0.2,
    bagging_fraction=0.7,
    bagging_freq=1,
    lambda_l2=100,
    seed=1,
    deterministic=True,
    num_threads=2,
    verbose=-1,
)
DEPTH = 10  # of NDCG


def read(path):
    """The signals' names, and the questions with their files' signals as a matrix."""
    with open(path) as lines:
        names = json.loads(next(lines))["signals"]
        questions = [json.loads(line) for line in lines]
    for q in questions:
        files = q.pop("files")
        q["signals"] = numpy.array([f["signals"] for f in files])
        q["score"] = numpy.array([f["score"] for f in files])
        q["right"] = numpy.array([f["right"] for f in files], float)
    return names, sorted(questions, key=lambda q: (q["project"], q["question"]))


def ndcg(q, scores):
    """NDCG@10 of a question's files in the order of scores."""
    gains = 1 / numpy.log2(numpy.arange(DEPTH) + 2)
    right = q["right"][numpy.argsort(-scores, kind="stable")][:DEPTH]
    return (right * gains[: len(right)]).sum() / gains[: min(q["answers"], DEPTH)].sum()


def learn(questions):
    """Trees that correct the sum where it puts a wrong file before a right one."""
    questions = [q for q in questions if q["right"].any()]
    data = lightgbm.Dataset(
        numpy.concatenate([q["signals"] for q in questions]),
        numpy.concatenate([q["right"] for q in questions]),
        group=[len(q["right"]) for q in questions],
        init_score=SCALE * numpy.concatenate([q["score"] for q in questions]),
    )
    return lightgbm.train(LEARN, data, num_boost_round=TREES)


def corrected(model, q):
    return q["score"] + model.predict(q["signals"]) / SCALE


def report(model, questions):
    """NDCG@10 by the sum, and what the trees add in thousandths, with its standard error."""
    groups = {}
    for q in questions:
        before, after = ndcg(q, q["score"]), ndcg(q, corrected(model, q))
        for name in (q["part"], q["part"] + ", " + q["kind"], "all, " + q["kind"], "all"):
            groups.setdefault(name, []).append((before, after - before))
    for name, pairs in sorted(groups.items()):
        before, added = (numpy.array(x) for x in zip(*pairs))
        error = added.std() / math.sqrt(len(added))
        print(f"{name:20} {len(pairs):5} {before.mean():.3f} {1000 * added.mean():+6.1f} ± {1000 * error:.1f}")


def exported(model):
    """The trees as engine/search/learned.go reads them."""
    trees = []
    for info in model.dump_model()["tree_info"]:
        tree = dict(splits=[], limits=[], left=[], right=[], leaves=[])

        def add(node):
            if "leaf_value" in node:
                tree["leaves"].append(float(f"{node['leaf_value']:.4g}"))
                return -len(tree["leaves"])
            at = len(tree["splits"])
            tree["splits"].append(node["split_feature"])
            tree["limits"].append(float(f"{node['threshold']:.5g}"))
            tree["left"].append(0)
            tree["right"].append(0)
            tree["left"][at] = add(node["left_child"])
            tree["right"][at] = add(node["right_child"])
            return at

        add(info["tree_structure"])
        trees.append(tree)
    return trees


def main():
    source, out = sys.argv[1:]
    names, questions = read(source)
    model = learn([q for q in questions if q["part"] == "training" and q["kind"] != "change"])
    report(model, [q for q in questions if q["part"] != "training"])
    with open(out, "w") as file:
        file.write('{"signals": ' + json.dumps(names) + f', "scale": {SCALE}, "trees": [\n')
        file.write(",\n".join(json.dumps(t, separators=(",", ":")) for t in exported(model)))
        file.write("\n]}\n")


if __name__ == "__main__":
    main()
