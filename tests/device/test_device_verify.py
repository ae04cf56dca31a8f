"""One file at a time: what is accepted and timed, what is found at full size only, and what the options change."""

import unittest

from programs import PROGRAMS, ROW, softmax
from running import WithPrograms

ALONE = ["--no-as-written", "--no-compile-baseline"]
UNTIMED = [*ALONE, "--no-timing"]
EXIT_CODES = {"accepted": 0, "rejected": 1}


class Verify(WithPrograms):
    def judged(self, name, *options):
        task, _, (status, reason) = PROGRAMS[name]
        code, verdict, err = self.verify(task, name, *options)
        self.assertEqual((code, verdict and verdict["status"], verdict and verdict["reason"]), (EXIT_CODES[status], status, reason), err)
        return verdict

    def test_an_honest_kernel_is_checked_in_full_and_timed(self):
        verdict = self.judged("softmax", *ALONE)
        evidence = verdict["evidence"]
        self.assertEqual((verdict["checked"], verdict["stage"]), ("full", "done"))
        self.assertEqual(evidence["scaled"], {"ROWS": [2048, 256]})
        run = evidence["full_size_run"]
        # Each set, and the first once more, twice.
        self.assertEqual((run["input_sets"], run["runs"], run["elements_compared"]), (6, 7, 7 * 2048 * 64))
        self.assertLess(run["share_of_bound"], 1)
        timing = evidence["timing"]
        self.assertEqual(list(verdict["baseline_ms"]), ["eager"])
        for side, ms in (("candidate", verdict["candidate_ms"]), ("eager", verdict["baseline_ms"]["eager"])):
            low, high = timing[side]["interval_ms"]
            self.assertEqual(timing[side]["ms"], ms)
            self.assertTrue(0 < low <= ms <= high, timing[side])
            self.assertGreaterEqual(timing[side]["samples"], 10)
        self.assertAlmostEqual(verdict["speedup"], verdict["baseline_ms"]["eager"] / verdict["candidate_ms"])
        self.assertGreater(timing["outputs_checked"], 0)
        self.assertEqual(timing["bytes"], 2 * 2048 * 64 * 4)
        self.assertNotIn("construction", timing)
        self.assertNotIn("autotune", timing)

    def test_without_timing_it_is_run_and_not_timed(self):
        verdict = self.judged("softmax", *UNTIMED)
        self.assertEqual(verdict["checked"], "full")
        self.assertEqual((verdict["speedup"], verdict["candidate_ms"], verdict["baseline_ms"]), (None, None, {}))
        self.assertNotIn("timing", verdict["evidence"])

    def test_without_a_device_there_is_neither(self):
        code, verdict, err = self.verify("softmax", "softmax", device="cpu")
        self.assertEqual((code, verdict["checked"], verdict["speedup"]), (0, "sampled", None), err)
        self.assertNotIn("full_size_run", verdict["evidence"])

    def test_one_wrong_program_of_thousands_is_found(self):
        # By the sample, which looks on both sides of each comparison of program_id with a constant, before the device does.
        for name in ("softmax_doubled", "in_place_doubled", "in_place_left_alone", "linear_doubled"):
            with self.subTest(name):
                verdict = self.judged(name, *UNTIMED)
                self.assertEqual(verdict["evidence"]["size"], "full")
                self.assertEqual(verdict["evidence"]["index"][0], ROW)
                self.assertIn(f"[{ROW}, ", verdict["message"])
                self.assertIn(f"[{ROW}, ", verdict["feedback"]["model"])

    def test_what_one_program_leaves_out_is_found(self):
        verdict = self.judged("softmax_left_out", *UNTIMED)
        self.assertEqual((verdict["stage"], verdict["evidence"]["size"]), ("run", "full"))

    def test_the_fastest_configuration_is_named(self):
        autotune = self.judged("softmax_autotuned", *ALONE)["evidence"]["timing"]["autotune"]
        self.assertEqual(autotune["tried"], 2)
        self.assertIn("BLOCK: 64", autotune["chosen"][0])  # the other one does sixteen times the work
        self.assertGreater(autotune["seconds"], 0)

    def test_of_configurations_that_are_asked_for_the_fastest_is_told(self):
        timing = self.judged("softmax_asked", *ALONE)["evidence"]["timing"]
        self.assertEqual(timing["configuration"], 2)  # the first one does sixteen times the work
        self.assertIn("BLOCK: 64", timing["autotune"]["chosen"][0])

    def test_every_configuration_is_run_at_full_size(self):
        verdict = self.judged("softmax_autotuned_wrong", *UNTIMED)
        self.assertEqual((verdict["evidence"]["size"], verdict["evidence"]["why"]), ("full", "wrong_result"))
        self.assertIn("BLOCK: 1024", verdict["evidence"]["config"])

    def test_a_task_that_changes_its_input(self):
        verdict = self.judged("in_place", *ALONE)
        self.assertEqual(verdict["checked"], "full")
        # The output and the changed input, in seven runs (six sets, and the first once more), of which one shows nothing: sigmoid is
        # zero of numbers near -2000.
        self.assertEqual(verdict["evidence"]["full_size_run"]["elements_compared"], 6 * 2 * 2048 * 64)
        self.assertEqual(verdict["evidence"]["left_out_outputs"], [f"{name} with sign 1 scale 100 offset -2000" for name in ("output/0", "input/0")])
        self.assertGreater(verdict["evidence"]["timing"]["outputs_checked"], 0)

    def test_what_construction_computes_is_timed_unless_allowed(self):
        self.assertEqual(self.judged("linear", *ALONE)["evidence"]["timing"]["construction"], "part of each timed call")
        self.assertEqual(self.judged("linear", *ALONE, "--allow-prepack")["evidence"]["timing"]["construction"],
                         "left outside (--allow-prepack)")


class AsWritten(WithPrograms):
    def test_an_honest_file_does_what_its_trace_said(self):
        for name in ("softmax", "softmax_autotuned", "in_place", "linear"):
            with self.subTest(name):
                code, verdict, err = self.verify(PROGRAMS[name][0], name, "--as-written", "--no-compile-baseline", "--no-timing")
                self.assertEqual(code, 0, err)
                self.assertIs(verdict["evidence"]["as_written"]["compared"], True)

    def test_a_file_that_knows_that_it_is_run_is_found(self):
        # What lies in memory only where the file is really run.
        text = "import sys\n" + softmax(differs=' if "tritonsmith.services.as_written_run" not in sys.modules else 2 * x')
        (self.folder / "two_faces.py").write_text(text)
        code, verdict, err = self.verify("softmax", "two_faces", "--as-written", "--no-compile-baseline", "--no-timing")
        self.assertEqual((code, verdict["reason"], verdict["stage"]), (1, "as_written_differs", "correctness"), err)
        self.assertIn("is wrong in 131072 of 131072 elements", verdict["message"])
        code, verdict, err = self.verify("softmax", "two_faces", *UNTIMED)
        self.assertEqual(code, 0, err)
        self.assertNotIn("as_written", verdict["evidence"])


class Compiled(WithPrograms):
    def test_the_compiled_reference_is_timed_beside_the_others(self):
        code, verdict, err = self.verify("softmax", "softmax", "--compile-baseline", "--no-as-written")
        self.assertEqual(code, 0, err)
        self.assertEqual(sorted(verdict["baseline_ms"]), ["compile", "eager"])
        timing = verdict["evidence"]["timing"]["compile"]
        low, high = timing["interval_ms"]
        self.assertTrue(0 < low <= verdict["baseline_ms"]["compile"] <= high, timing)
        self.assertGreater(verdict["evidence"]["compile_baseline"]["compile_seconds"], 0)


class Devices(WithPrograms):
    def test_a_device_that_is_none_is_bad_usage(self):
        for device in ("tpu", "cuda:", "cuda:x", "cuda:-1", "cuda:99999999999999999999"):
            with self.subTest(device):
                code, verdict, err = self.verify("softmax", "softmax", device=device)
                self.assertEqual((code, verdict), (2, None))
                self.assertEqual(err, f"tritonsmith: --device '{device}': give auto, cpu or cuda:N\n")

    def test_a_gpu_that_is_not_there_is_said_in_one_line(self):
        code, verdict, err = self.verify("softmax", "softmax", device="cuda:99")
        self.assertEqual((code, verdict), (3, None))
        self.assertRegex(err, r"^tritonsmith: --device cuda:99: this machine has \d+ NVIDIA GPUs[^\n]*\n$")


if __name__ == "__main__":
    unittest.main()
