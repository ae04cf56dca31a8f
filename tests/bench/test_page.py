"""The report page in a real browser: no complaint in its console, all of it by keyboard, and usable when it is large.
Environment: TRITONSMITH_BINARY; TRITONSMITH_CHROMIUM names a Chromium where it has none of the usual names;
TRITONSMITH_SCREENSHOTS a folder where pictures of the page are kept. Exit code 77: there is no Chromium."""

import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import chromium
import synthetic_run

BINARY = os.environ["TRITONSMITH_BINARY"]
PROGRAM = chromium.found()
PICTURES = os.environ.get("TRITONSMITH_SCREENSHOTS", "")
# Of a large report, whose load takes two seconds where the machine is not busy: no reason to fail where it is.
MOST_SECONDS = 30


@unittest.skipUnless(PROGRAM, "no Chromium is found")
class Page(unittest.TestCase):
    def page_of(self, problems, samples, **options):
        folder = tempfile.TemporaryDirectory(prefix="tritonsmith-page")
        self.addCleanup(folder.cleanup)
        run, page = Path(folder.name) / "my_model", Path(folder.name) / "report.html"
        synthetic_run.write(run, problems, samples, **options)
        subprocess.run([BINARY, "report", run, "-o", page], check=True)
        browser = chromium.Chromium(PROGRAM)
        self.addCleanup(browser.close)
        browser.open(page)
        return browser

    def picture(self, browser, name):
        if PICTURES:
            browser.screenshot(Path(PICTURES) / f"{name}.png")

    def check_quiet(self, browser):
        self.assertEqual(browser.complaints, [])
        self.assertEqual(browser.value("document.title"), "my_model", "a program ran in the page")

    def test_light_and_dark(self):
        browser = self.page_of(30, 4)
        colours = []
        for dark in (False, True):
            browser.dark(dark)
            colours.append(browser.value("getComputedStyle(document.body).backgroundColor"))
            self.picture(browser, "dark" if dark else "light")
        self.assertNotEqual(*colours)
        browser.value("document.getElementById('theme').click()")
        self.assertEqual(browser.value("getComputedStyle(document.body).backgroundColor"), colours[0], "the button turns dark to light")
        browser.value("document.getElementById('h-tasks').scrollIntoView()")
        self.picture(browser, "problems")
        # Nothing is cut off at the side of a narrow window.
        browser.call("Emulation.setDeviceMetricsOverride", width=420, height=800, deviceScaleFactor=1, mobile=False)
        self.assertLessEqual(browser.value("document.documentElement.scrollWidth"), 420)
        self.picture(browser, "narrow")
        self.check_quiet(browser)

    def test_keyboard(self):
        browser = self.page_of(30, 4)
        focused = "document.activeElement.id"
        browser.key("/")
        self.assertEqual(browser.value(focused), "search")
        for letter in "l2-1":
            browser.key(letter, letter)
        shown = browser.value("[...document.querySelectorAll('.row.body')].map(row => row.firstChild.textContent)")
        self.assertTrue(shown and all("L2-1" in one for one in shown), shown)
        browser.value("document.getElementById('table').focus()")
        browser.key("ArrowDown")
        now = browser.value("document.querySelector('.row.now').firstChild.textContent")
        self.assertEqual(now, shown[1])
        browser.key("Enter")
        self.assertTrue(browser.value("document.getElementById('detail').open"))
        self.assertIn(now, browser.value("document.getElementById('d-title').textContent"))
        self.assertIn("def kernel7", browser.value("document.getElementById('d-code').textContent"))
        chosen = "document.querySelector('#d-samples [aria-checked=true]').textContent"
        before = browser.value(chosen)
        browser.key("ArrowLeft" if before == "3" else "ArrowRight")
        self.assertNotEqual(browser.value(chosen), before)
        self.picture(browser, "answer")
        browser.key("Escape")
        self.assertFalse(browser.value("document.getElementById('detail').open"))
        self.assertEqual(browser.value(focused), "table")
        self.check_quiet(browser)

    def test_protocols_and_filters(self):
        browser = self.page_of(30, 4, timed=False)
        self.assertEqual(browser.value("document.getElementById('speed').offsetHeight"), 0, "nothing was timed")
        subtitle = "document.getElementById('subtitle').textContent"
        self.assertIn("robust", browser.value(subtitle))
        browser.value("[...document.querySelectorAll('#protocols button')].find(b => b.textContent === 'relaxed').click()")
        self.assertIn("relaxed", browser.value(subtitle))
        browser.value("(f => { f.value = 'flawed'; f.dispatchEvent(new Event('input')); })(document.getElementById('f-result'))")
        self.assertEqual(browser.value("document.getElementById('count').textContent"), "1 of 30")
        self.check_quiet(browser)

    def test_curves_of_training(self):
        folder = tempfile.TemporaryDirectory(prefix="tritonsmith-page")
        self.addCleanup(folder.cleanup)
        run, page = Path(folder.name) / "my_model", Path(folder.name) / "report.html"
        synthetic_run.write_training(run, 5000)
        subprocess.run([BINARY, "report", run, "-o", page], check=True)
        browser = chromium.Chromium(PROGRAM)
        self.addCleanup(browser.close)
        browser.open(page)
        charts = browser.value("[...document.querySelectorAll('.chart')].map(c => c.id)")
        self.assertEqual(charts, ["chart-loss", "chart-gradient_norm", "chart-learning_rate", "chart-tokens_per_second", "chart-mfu", "chart-time"])
        self.assertEqual(browser.value("document.querySelectorAll('#chart-loss .legend span').length"), 2, "training and evaluation")
        told = "document.querySelector('#chart-loss output').textContent"
        browser.value("document.querySelector('#chart-loss svg').focus()")
        browser.key("ArrowLeft")
        browser.key("ArrowLeft")
        self.assertIn("steps: 1.", browser.value(told))
        browser.value("[...document.querySelectorAll('#axis button')].find(b => b.textContent === 'tokens').click()")
        browser.value("document.querySelector('#chart-loss svg').focus()")
        browser.key("ArrowLeft")
        self.assertIn("M tokens: 1.", browser.value(told))
        browser.value("document.getElementById('log').click()")
        self.assertNotIn("NaN", browser.value("document.getElementById('charts').innerHTML"))
        self.assertIn("pairs / rows", browser.value("document.getElementById('sources').textContent"))
        for dark in (False, True):
            browser.dark(dark)
            self.picture(browser, "training-dark" if dark else "training-light")
        browser.call("Emulation.setDeviceMetricsOverride", width=420, height=800, deviceScaleFactor=1, mobile=False)
        self.assertLessEqual(browser.value("document.documentElement.scrollWidth"), 420)
        self.check_quiet(browser)

    def test_a_large_report(self):
        begin = time.monotonic()
        browser = self.page_of(250, 100, protocols=("robust",))
        made = time.monotonic() - begin
        seconds = browser.value("performance.getEntriesByType('navigation')[0].loadEventEnd / 1000")
        print(f"\n250 problems with 100 answers: made in {made - seconds:.1f} s, opened in {seconds:.2f} s", file=sys.stderr)
        self.assertLess(seconds, MOST_SECONDS)
        self.assertLess(browser.value("document.querySelectorAll('.row.body').length"), 60, "only rows in sight are in the document")
        browser.value("document.getElementById('table').focus()")
        begin = time.monotonic()
        browser.key("End")
        browser.key("Enter")
        self.assertEqual(browser.value("document.querySelectorAll('#d-samples button').length"), 100)
        print(f"the last problem is shown after {time.monotonic() - begin:.2f} s", file=sys.stderr)
        self.check_quiet(browser)


if __name__ == "__main__":
    if not PROGRAM:
        print("SKIPPED: no Chromium is found; TRITONSMITH_CHROMIUM names one")
        sys.exit(77)
    unittest.main(verbosity=2)
