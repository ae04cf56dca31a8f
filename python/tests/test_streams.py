"""On which streams steps run, and behind what."""

import unittest

from tracing import COPY, TracingTest, steps

LAUNCH = "copy_kernel[(1,)]({}, {}, x.numel(), BLOCK=32)\n"
SIDE = "with torch.cuda.stream(self.s):\n    "


class Streams(TracingTest):
    def launches(self, body, **request):
        plan = self.forward("y, z = torch.empty_like(x), torch.empty_like(x)\n" + body + "\nreturn z", head=COPY,
                            init="self.s = torch.cuda.Stream()", **request)
        return plan, [(s.get("stream", 0), s.get("behind", [])) for s in steps(plan, "launch", "forward")]

    def test_one_stream_is_not_written_down(self):
        plan, launches = self.launches(LAUNCH.format("x", "z"))
        self.assertEqual((plan["ends_behind"], launches), ([], [(0, [])]))

    def test_nobody_waits(self):
        plan, launches = self.launches(SIDE + LAUNCH.format("x", "y") + LAUNCH.format("y", "z"))
        # The caller's work, and two allocations.
        self.assertEqual(launches, [(1, [0, 0]), (0, [0, 0])])
        self.assertEqual(plan["ends_behind"], [4, 0])

    def test_streams_wait_for_each_other(self):
        plan, launches = self.launches("here = torch.cuda.current_stream()\nself.s.wait_stream(here)\n" + SIDE + LAUNCH.format("x", "y")
                                       + "here.wait_stream(self.s)\n" + LAUNCH.format("y", "z"))
        self.assertEqual(launches, [(1, [3, 0]), (0, [3, 1])])
        self.assertEqual(plan["ends_behind"], [4, 1])

    def test_an_event_stands_for_what_was_before_it(self):
        begin = "begun, ended = torch.cuda.Event(), torch.cuda.Event()\nbegun.record()\nself.s.wait_event(begun)\n"
        late = begin + SIDE + LAUNCH.format("x", "y") + "    ended.record()\nended.wait()\n" + LAUNCH.format("y", "z")
        early = begin + SIDE + "ended.record()\n    " + LAUNCH.format("x", "y") + "ended.wait()\n" + LAUNCH.format("y", "z")
        self.assertEqual(self.launches(late)[1][1], (0, [3, 1]))
        self.assertEqual(self.launches(early)[1][1][1][1], 0)

    def test_the_host_waits(self):
        for wait in ("self.s.synchronize()", "torch.cuda.synchronize()", "self.s.record_event().synchronize()"):
            _, launches = self.launches("torch.cuda.synchronize()\n" + SIDE + LAUNCH.format("x", "y") + wait + "\n" + LAUNCH.format("y", "z"))
            self.assertEqual((launches[0][1][0], launches[1][1][1]), (3, 1), wait)

    def test_later_calls_are_the_same(self):
        plan, _ = self.launches("here = torch.cuda.current_stream()\nself.s.wait_stream(here)\n" + SIDE + LAUNCH.format("x", "z")
                                + "here.wait_stream(self.s)")
        self.assertEqual(plan["later_calls"], [])


if __name__ == "__main__":
    unittest.main()
