"""Of evolve's document; see tests/suite/blocks."""

VERDICTS = {}
