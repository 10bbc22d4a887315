"""Training runs by recipe: composed, really trained, and kept only when the fault alone makes the difference."""
