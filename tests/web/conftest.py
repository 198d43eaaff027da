from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.chromium import PROGRAM, Chromium, ChromiumError


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """A browser for all tests of a module; each test opens pages of its own."""
    if PROGRAM is None:
        pytest.skip("needs Chromium (apt-get install chromium)")
    try:
        browser = Chromium(tmp_path_factory.mktemp("chromium"))
    except ChromiumError as error:
        pytest.skip(f"no Chromium runs here: {error}")
    try:
        yield browser
    finally:
        browser.close()
