"""The suites' development halves, as ctest runs them (skipped without their data)."""

import unittest

from dev_suites import Suites

if __name__ == "__main__":
    unittest.main()
