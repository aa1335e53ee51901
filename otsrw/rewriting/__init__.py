"""Theory to normal forms: matching, compiled equations, the Boolean ring, strategies, budgets, search."""

from otsrw.rewriting.budget import Budget
from otsrw.rewriting.rewriter import Reduction, Rewriter

__all__ = ["Budget", "Reduction", "Rewriter"]
