"""refbot's harness: drives GTP bots, collects evidence, judges it and renders the verdict."""
