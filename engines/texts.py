"""Text in the languages we speak; which one is shown is decided when it is read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence or label in Korean and English."""

    ko: str
    en: str

    def format(self, **params: object) -> "Text":
        """The text with its `{named}` places filled in both languages."""
        return Text(self.ko.format(**params), self.en.format(**params)) if params else self
