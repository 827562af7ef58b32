"""Renderers: they turn documents into text.  They count and judge nothing, and read only their templates."""
