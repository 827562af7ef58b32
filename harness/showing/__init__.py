"""What a report shows of one run: values made from evidence, suite and tables, for renderers."""
