"""Runs the command-line index and query of Recoll over the pages, for any word of a question. Queries for all words find less."""
import json
import os
import re
import subprocess
import sys
import time

work = sys.argv[1]
conf, site = work + "/recoll", work + "/manuals/"
os.makedirs(conf)
with open(conf + "/recoll.conf", "w") as f:
    f.write("topdirs = %s\nloglevel = 1\nidxflushmb = 50\n" % site)
env = dict(os.environ, LANG="C.UTF-8")
subprocess.run(["recollindex", "-c", conf], check=True, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
for line in open(work + "/questions.tsv").read().strip().split("\n"):
    words = re.sub(r"[^\w\s]", " ", line.split("\t")[0])
    began = time.perf_counter()
    out = subprocess.run(["recollq", "-c", conf, "-o", "-n", "10", "-b", words], capture_output=True, text=True, env=env).stdout
    took = (time.perf_counter() - began) * 1000
    paths = [u[len("file://" + site):] for u in out.split("\n") if u.startswith("file://" + site)]
    print(json.dumps({"paths": paths, "ms": took}))
