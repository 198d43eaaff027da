"""Counterfactual regret minimisation: equilibrium strategies for small games with secrets."""
