"""What all tests of the command line share."""

from house import make_house

__all__ = ["make_house"]
