"""Renderers: verdict document in, text out.  They never count, judge or read files."""
