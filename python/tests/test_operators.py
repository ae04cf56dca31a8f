"""ATen steps: views, writes, draws, constants, deaths."""

import base64
import struct
import unittest

from tracing import IMPORTS, TracingTest, buffer, line_of, module, operators, steps, tensor


class Steps(TracingTest):
    def test_views_name_the_buffer_of_their_base(self):
        plan = self.forward("y = x.t()[1:3]\nreturn y.reshape(4, 2)")
        out = plan["output"]["tensor"]
        view = steps(plan, "aten")[1]["result"]["tensor"]
        self.assertEqual(view, {"buffer": 0, "dtype": "f32", "shape": [2, 4], "stride": [1, 8], "offset": 1})
        self.assertNotEqual(out["buffer"], 0)  # this reshape copies
        self.assertEqual((out["shape"], out["stride"]), ([4, 2], [2, 1]))

    def test_writes_in_place_name_the_written_tensor_as_result(self):
        plan = self.forward("y = torch.zeros_like(x)\ny[:, 2:4].add_(x[:, :2])\nreturn y")
        add = next(s for s in steps(plan, "aten") if s["op"] == "aten::add_.Tensor")
        self.assertEqual(add["result"], add["args"][0])
        self.assertEqual(add["result"]["tensor"]["offset"], 2)
        self.assertEqual(buffer(add["result"]), buffer(plan["output"]))

    def test_each_step_has_the_line_of_the_program(self):
        source = module("a = torch.relu(x)\nb = nn.functional.gelu(a)\nreturn b")
        plan = self.plan(source)
        lines = {s["op"]: s["line"] for s in steps(plan, "aten")}
        self.assertEqual(lines["aten::relu"], line_of(source, "torch.relu"))
        self.assertEqual(lines["aten::gelu"], line_of(source, "gelu(a)"))

    def test_draws_are_numbered_by_phase(self):
        plan = self.forward("return x + torch.rand_like(x) + torch.randn(8, device=x.device)", init="self.w = nn.Parameter(torch.rand(3))\nself.l = nn.Linear(2, 2)")
        draws = [(s["phase"], s["op"], s["draw"]) for s in steps(plan, "aten") if "draw" in s]
        self.assertEqual(draws, [("init", "aten::rand", 0), ("init", "aten::uniform_", 1), ("init", "aten::uniform_", 2),
                                 ("forward", "aten::rand_like", 0), ("forward", "aten::randn", 1)])

    def test_dropout_that_is_not_active_draws_nothing(self):
        plan = self.forward("q = x.view(1, 1, 4, 8)\nreturn nn.functional.dropout(nn.functional.scaled_dot_product_attention(q, q, q), 0.0)")
        self.assertEqual([s for s in steps(plan, "aten") if "draw" in s], [])
        plan = self.forward("return nn.functional.dropout(x, 0.5)")
        self.assertEqual(len([s for s in steps(plan, "aten") if "draw" in s]), 1)

    def test_values_of_the_program_enter_as_constants(self):
        plan = self.forward("return x + torch.tensor([1.5, -2.0], device=x.device).sum()")
        constants = [b for b in plan["buffers"] if b["kind"] == "constant"]
        self.assertEqual([base64.b64decode(b["data"]) for b in constants], [struct.pack("<ff", 1.5, -2.0)])

    def test_scratch_of_another_size_on_the_host_is_not_known(self):
        plan = self.forward("return nn.functional.logsigmoid(torch.tensor([1.5, -2.0, 3.0], device=x.device))")
        step = next(s for s in steps(plan, "aten") if s["op"] == "aten::log_sigmoid_forward")
        self.assertEqual([r["tensor"]["shape"] for r in step["result"]], [[3], [0]])

    def test_a_constant_is_what_it_was_when_it_entered(self):
        plan = self.forward("h = torch.tensor([1.0])\na = x + h.to(x.device)\nh[0] = 7.0\nreturn a + h.to(x.device)")
        data = [base64.b64decode(b["data"]) for b in plan["buffers"] if b["kind"] == "constant"]
        self.assertEqual(data, [struct.pack("<f", 1.0), struct.pack("<f", 7.0)])

    def test_a_large_host_tensor_does_not_enter(self):
        error = self.error(module("return x + torch.from_numpy(np.ones(300000, dtype=np.float32)).to(x.device)[0]", IMPORTS + "import numpy as np\n"))
        self.assertEqual(error["reason"], "aten_not_allowed")
        self.assertIn("1200000 bytes", error["message"])

    def test_storage_death_is_a_free_step(self):
        plan = self.forward("a = x + 1\nb = a * 2\ndel a\nreturn b - 3")
        kinds = [s["kind"] if s["kind"] == "free" else s["op"] for s in plan["steps"]]
        self.assertEqual(kinds, ["aten::add.Tensor", "aten::mul.Tensor", "free", "aten::sub.Tensor", "free"])
        self.assertEqual([s["buffer"] for s in steps(plan, "free")], [buffer(s["result"]) for s in steps(plan, "aten")[:2]])

    def test_a_view_keeps_its_base_alive(self):
        plan = self.forward("a = x + 1\nb = a[1:]\ndel a\nreturn b * 2")
        position = [s["kind"] for s in plan["steps"]]
        self.assertNotIn("free", position[:position.index("aten") + 3])

    def test_inputs_and_weights_are_never_freed(self):
        plan = self.forward("w = self.w\ndel self.w\ny = x * w\ndel x\nreturn y", init="self.w = nn.Parameter(torch.ones(8))")
        held = {buffer(plan["inputs"][0]), plan["weights"][0]["tensor"]["buffer"]}
        self.assertEqual(held & {s["buffer"] for s in steps(plan, "free")}, set())

    def test_addresses_are_aligned_and_apart(self):
        plan = self.forward("return x + 1, x.new_empty(3), x * 2")
        places = sorted((b["address"], b["bytes"]) for b in plan["buffers"])
        self.assertTrue(all(a % 512 == 0 for a, _ in places))
        self.assertTrue(all(a + n <= b for (a, n), (b, _) in zip(places, places[1:])))

    def test_another_default_dtype_is_written_down(self):
        plan = self.forward("return torch.zeros(3, device=x.device), x.sum()", init="torch.set_default_dtype(torch.float64)")
        self.assertEqual([s["kwargs"].get("dtype") for s in steps(plan, "aten")], [{"dtype": "f64"}, {"dtype": "f32"}])
        self.assertEqual(plan["output"]["tuple"][0]["tensor"]["dtype"], "f64")

    def test_library_operators_have_the_shapes_of_the_real_ones(self):
        plan = self.forward("y = nn.functional.conv2d(x, self.w, padding=1)\nreturn y, torch.linalg.svd(y[0, 0])[1], torch.fft.rfft(x)",
                            init="self.w = nn.Parameter(torch.randn(6, 3, 3, 3))", inputs=[tensor([2, 3, 8, 8])])
        shapes = [v["tensor"]["shape"] for v in plan["output"]["tuple"]]
        self.assertEqual(shapes, [[2, 6, 8, 8], [8], [2, 3, 8, 5]])

    def test_distances_between_many_rows_need_no_library(self):
        """Beyond 25 rows the real operator multiplies matrices, below what a trace sees."""
        plan = self.forward("return torch.cdist(x, x)", inputs=[tensor([40, 60])])
        self.assertEqual(plan["output"]["tensor"]["shape"], [40, 40])

    def test_conjugate_and_negative_views_are_written_out(self):
        plan = self.forward("c = torch.fft.fft(x).conj()\nreturn c.imag")
        self.assertEqual(operators(plan), ["aten::_fft_r2c", "aten::conj_physical", "aten::view_as_real", "aten::select.int"])

    def test_copies_to_the_host_and_back_stay_unknown(self):
        plan = self.forward("return (x.cpu() * 2).to(x.device)")
        self.assertEqual(operators(plan), ["aten::_to_copy", "aten::mul.Tensor", "aten::_to_copy"])

    def test_large_random_tensors_cost_no_memory(self):
        plan = self.forward("return x.sum() + self.w.sum()", init="self.w = nn.Parameter(torch.randn(1 << 34))")
        self.assertEqual(max(b["bytes"] for b in plan["buffers"]), 1 << 36)

    def test_streams_events_and_properties_just_work(self):
        plan = self.forward('''
            assert x.is_cuda and torch.cuda.is_available() and torch.cuda.device_count() == 1
            stream = torch.cuda.Stream()
            with torch.cuda.device(x.device), torch.cuda.stream(stream):
                y = x + torch.cuda.get_device_properties(x.device).multi_processor_count
            event = torch.cuda.Event(enable_timing=True)
            event.record()
            torch.cuda.synchronize()
            return y''', target="sm_100")
        self.assertEqual(steps(plan, "aten")[0]["args"][1], 148)

    def test_device_properties_follow_the_target(self):
        body = "p = torch.cuda.get_device_properties(0)\nreturn x * p.multi_processor_count + torch.cuda.get_device_capability()[0]"
        seen = [[s["args"][1] for s in steps(self.forward(body, target=t), "aten")] for t in ("sm_80", "sm_90", "sm_100")]
        self.assertEqual(seen, [[108, 8], [132, 9], [148, 10]])

    def test_values_survive_as_json(self):
        plan = self.forward("y = torch.clamp(x, min=-float('inf'))\nreturn {'a': [y, (1, 2.0)], 'b': None}")
        self.assertEqual(steps(plan, "aten")[0]["args"][1], {"float": "-inf"})
        items = plan["output"]["dict"]
        self.assertEqual(items[0][0], "a")
        self.assertEqual(items[0][1][1], {"tuple": [1, 2.0]})
        self.assertEqual(items[1], ["b", None])


if __name__ == "__main__":
    unittest.main()
