"""OTS and rewriter: case splitting, necessary lemmas, induction-guided falsification, certificates."""
