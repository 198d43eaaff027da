"""Counterfactual regret minimisation, for small games with hidden information."""
