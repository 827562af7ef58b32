"""The Go that refbot believes in: rules, playouts and a GTP engine.  Imports nothing from the harness."""
