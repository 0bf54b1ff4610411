"""The laws explain their failures like any test."""

import pytest

pytest.register_assert_rewrite("tests.engines.laws")
