"""Further kernels for the corpus: foreign.py ROWS.jsonl FOLDER. TTIR of what the programs of a JSONL file launch under the tracer (developers' data only).

TRITONSMITH_PACKAGE names the build's package folder, which has the tracer and the CUDA libraries that compute nothing.
"""
import hashlib
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python" / "tests"))


def generate(rows_file, folder):
    """Returns the number of texts written; programs that do not trace are skipped."""
    from zygote import Zygote
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tracer = Zygote()
    seen = set()
    try:
        for line in open(rows_file):
            row = json.loads(line)
            source = row.get("code_repaired") or row.get("code")
            if not source or "triton.jit" not in source:
                continue
            answer = tracer.trace(source, "script", filename="candidate.py")
            for kernel in answer.get("plan", {}).get("kernels", []):
                text = kernel["ttir"]
                digest = hashlib.sha256(text.encode()).hexdigest()
                if digest in seen:
                    continue
                seen.add(digest)
                name = re.sub(r"\W", "_", f"dev_{row['id']}_{kernel['name']}_{len(seen)}")
                (folder / f"{name}_sm90.ttir").write_text(text)
    finally:
        tracer.close()
    return len(seen)


if __name__ == "__main__":
    print(f"{generate(sys.argv[1], sys.argv[2])} texts")
