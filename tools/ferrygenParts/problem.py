"""The one error of ferrygen: what is wrong, where, and what to do. Nothing is written after it."""


class Problem(Exception):
    """The text has one or more lines `place: what is wrong: cure`."""

    @staticmethod
    def ofAll(texts):
        return Problem("\n".join(texts))
