"""Launches: parameters, options, tuning, and the front end's errors."""

import json
import unittest

from tracing import COPY, IMPORTS, TracingTest, buffer, line_of, module, steps, tensor

TUNED = IMPORTS + '''
def fresh(args):
    args["y"].zero_()

@triton.autotune(configs=[
    triton.Config({"BLOCK": 16}, num_warps=2),
    triton.Config({"BLOCK": 32}, num_warps=4, pre_hook=fresh),
    triton.Config({"BLOCK": 64}, num_stages=2),
], key=["n"]%s)
@triton.jit
def kernel(x, y, n, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK != 64 or %s)
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)
'''
CALL = "y = torch.empty_like(x)\nkernel[lambda m: (triton.cdiv(x.numel(), m['BLOCK']),)](x, y, x.numel())\nreturn y"


class Launches(TracingTest):
    def test_a_launch_has_the_parameters_of_the_ttir_function(self):
        head = IMPORTS + '''
@triton.jit
def kernel(x, y, n, one, scale, flag, pair, nothing, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * scale * pair[0] * one, mask=flag)
'''
        source = module("y = torch.empty_like(x)\nkernel[2, 3](x[1:], y, 17, 1, 2, x.numel() > 3, (3.5, 4), None, BLOCK=32, num_warps=8)\nreturn y", head)
        plan = self.plan(source)
        (launch,) = steps(plan, "launch")
        self.assertEqual(launch["grid"], [2, 3, 1])
        self.assertEqual(launch["line"], line_of(source, "kernel[2, 3]"))
        first, second, *rest = launch["args"]
        self.assertEqual(first["tensor"], {"buffer": 0, "dtype": "f32", "shape": [3, 8], "stride": [8, 1], "offset": 8})
        self.assertEqual(buffer(second), buffer(plan["output"]))
        self.assertEqual(rest, [17, 2, True, 3.5, 4])
        (kernel,) = plan["kernels"]
        self.assertEqual(kernel["options"], {"num_warps": 8, "num_stages": 3, "num_ctas": 1})
        self.assertEqual(kernel["line"], line_of(source, "def kernel"))
        self.assertIn("tt.func public @kernel", kernel["ttir"])
        self.assertIn('"program.py":', kernel["ttir"])

    def test_equal_texts_are_one_kernel_and_specialisation_makes_another(self):
        plan = self.forward("y = torch.empty_like(x)\nfor n in (32, 48, 7):\n    copy_kernel[(1,)](x, y, n, BLOCK=32)\nreturn y", head=COPY)
        self.assertEqual([s["kernel"] for s in steps(plan, "launch")], [0, 0, 1])
        self.assertIn("tt.divisibility = 16 : i32", plan["kernels"][0]["ttir"].split("%n")[1][:60])

    def test_options_away_from_their_defaults_are_reported(self):
        body = "y = torch.empty_like(x)\ncopy_kernel[(1,)](x, y, 32, BLOCK=32, {})\nreturn y"
        for options, expected in (("maxnreg=64, enable_fp_fusion=False, launch_cooperative_grid=True", {"maxnreg": 64, "enable_fp_fusion": False, "launch_cooperative_grid": True}),
                                  ("ptx_options='--foo', ir_override='a.ptx'", {"ptx_options": "--foo", "ir_override": "a.ptx"}),
                                  ("extern_libs={'mine': '/x.bc'}", None)):
            with self.subTest(options):
                told = self.forward(body.format(options), head=COPY)["kernels"][0]["options"]
                if expected is None:
                    self.assertIn("/x.bc", told["extern_libs"])
                else:
                    self.assertEqual(told, {"num_warps": 4, "num_stages": 3, "num_ctas": 1, **expected})

    def test_pointers_given_as_integers(self):
        head = COPY.replace("tl.load(x + i, mask=i < n)", "tl.load(x.to(tl.pointer_type(tl.float32)) + i, mask=i < n)")
        plan = self.forward("y = torch.empty_like(x)\ncopy_kernel[(1,)](x.data_ptr() + 16, y, 8, BLOCK=32)\nreturn y", head=head)
        self.assertEqual(steps(plan, "launch")[0]["args"][0], {"pointer": {"buffer": 0, "offset": 16}})

    def test_reinterpreted_tensors(self):
        plan = self.forward("y = torch.empty_like(x)\ncopy_kernel[(1,)](triton.reinterpret(x[1:], tl.int32), triton.reinterpret(y, tl.int32), 8, BLOCK=32)\nreturn y", head=COPY)
        self.assertEqual(steps(plan, "launch")[0]["args"][0], {"pointer": {"buffer": 0, "offset": 32}})
        self.assertIn("!tt.ptr<i32>", plan["kernels"][0]["ttir"])

    def test_an_empty_grid_launches_nothing_and_a_negative_one_is_an_error(self):
        body = "y = torch.empty_like(x)\ncopy_kernel[({},)](x, y, 32, BLOCK=32)\nreturn y"
        self.assertEqual(steps(self.forward(body.format(0), head=COPY), "launch"), [])
        self.assertIn("negative grid", self.error(module(body.format(-1), COPY))["message"])

    def test_kernels_and_their_helpers_made_at_run_time(self):
        head = IMPORTS + '''
def make(power):
    @triton.jit
    def raised(v):
        return v * v if power == 2 else v
    @triton.jit
    def kernel(x, y, BLOCK: tl.constexpr):
        i = tl.arange(0, BLOCK)
        tl.store(y + i, raised(tl.load(x + i)))
    return kernel
OFFSET = tl.constexpr(3)
'''
        plan = self.forward("y = torch.empty_like(x)\nmake(tl.constexpr(2))[(1,)](x, y, BLOCK=32)\nreturn y", head=head)
        self.assertIn("arith.mulf", plan["kernels"][0]["ttir"])

    def test_heuristics(self):
        head = COPY.replace("@triton.jit", '@triton.heuristics({"BLOCK": lambda args: triton.next_power_of_2(args["n"])})\n@triton.jit')
        plan = self.forward("y = torch.empty_like(x)\ncopy_kernel[(1,)](x, y, x.numel())\nreturn y", head=head)
        self.assertIn("tensor<32x!tt.ptr<f32>>", plan["kernels"][0]["ttir"])

    def test_libdevice_is_nvidias(self):
        head = IMPORTS + '''
from triton.language.extra import libdevice
from triton.language.extra.libdevice import tanh

@triton.jit
def kernel(x, y, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    tl.store(y + i, libdevice.erf(v) + tanh(v) + tl.extra.cuda.libdevice.pow(v, v))
'''
        text = self.forward("y = torch.empty_like(x)\nkernel[(1,)](x, y, BLOCK=32)\nreturn y", head=head)["kernels"][0]["ttir"]
        for name in ("__nv_erff", "__nv_tanhf", "__nv_powf"):
            self.assertIn(name, text)
        error = self.error(module("y = torch.empty_like(x)\nkernel[(1,)](x, y, BLOCK=32)\nreturn y",
                                  head.replace("tl.extra.cuda.libdevice.pow(v, v)", "tl.extra.hip.libdevice.rsqrt(v)")))
        self.assertEqual(error["reason"], "compile_error")
        self.assertIn("__ocml_rsqrt_f32", error["message"])

    def test_warmup_and_what_it_tells(self):
        body = '''
            y = torch.empty_like(x)
            kernel = copy_kernel.warmup(x, y, 32, BLOCK=32, grid=(1,))
            kernel._init_handles()
            properties = triton.runtime.driver.active.utils.get_device_properties(x.device.index)
            blocks = properties["max_num_regs"] // (kernel.n_regs * properties["warpSize"] * 4)
            blocks = min(blocks, properties["max_shared_mem"] // max(kernel.metadata.shared, 1))
            assert "tt.func" in kernel.asm["ttir"] and blocks > 0
            kernel[(properties["multiprocessor_count"], 1, 1)](x, y, 32, 32)
            return y'''
        plan = self.forward(body, head=COPY)
        (launch,) = steps(plan, "launch")
        self.assertEqual(launch["grid"], [132, 1, 1])
        self.assertEqual(len(launch["args"]), 3)
        self.assertIn("compiled size of kernel copy_kernel", plan["warnings"][0])

    def test_a_front_end_error_names_the_kernels_line(self):
        head = IMPORTS + '''
@triton.jit
def helper(v):
    return v + undefined_name

@triton.jit
def kernel(x, y, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y + i, %s)
'''
        call = "y = torch.empty_like(x)\nkernel[(1,)](x, y, BLOCK=32)\nreturn y"
        source = module(call, head % "tl.load(x + i) + tl.zeros((7,), tl.float32)")
        error = self.error(source)
        self.assertEqual((error["reason"], error["line"]), ("compile_error", line_of(source, "tl.zeros")))
        source = module(call, head % "helper(tl.load(x + i))")
        error = self.error(source)
        self.assertEqual((error["reason"], error["line"]), ("compile_error", line_of(source, "undefined_name")))
        self.assertIn("undefined_name is not defined", error["message"])

    def test_gluon_has_no_ttir(self):
        head = IMPORTS + '''
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

@gluon.jit
def kernel(x, y, BLOCK: gl.constexpr):
    gl.static_assert(BLOCK == 32)
'''
        source = module("y = torch.empty_like(x)\nkernel[(1,)](x, y, BLOCK=32)\nreturn y", head)
        error = self.error(source)
        self.assertEqual((error["reason"], error["line"]), ("not_ttir", line_of(source, "def kernel")))


class Descriptors(TracingTest):
    HEAD = IMPORTS + '''
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def kernel(a, y, BLOCK: tl.constexpr):
    t = a.load([tl.program_id(0) * BLOCK, 0])
    tl.store(y + tl.arange(0, BLOCK)[:, None] * 16 + tl.arange(0, 16)[None, :], t)

@triton.jit
def on_device(x, y, M, N, BLOCK: tl.constexpr):
    a = tl.make_tensor_descriptor(x, [M, N], [N, 1], [BLOCK, 16])
    b = tl.make_tensor_descriptor(y, [M, N], [N, 1], [BLOCK, 16])
    b.store([0, 0], a.load([0, 0]))
'''

    def test_host_descriptors_are_expanded(self):
        body = "y = torch.empty_like(x)\nkernel[(1,)](TensorDescriptor(x, [32, 16], [16, 1], [8, 16]), y, BLOCK=8)\nreturn y"
        given = [tensor([32, 16], "f16")]
        (launch,) = steps(self.forward(body, head=self.HEAD, inputs=given), "launch")
        base = {"buffer": 0, "dtype": "f16", "shape": [32, 16], "stride": [16, 1], "offset": 0}
        self.assertEqual(launch["args"][:5], [{"descriptor": {"base": base, "block": [8, 16], "padding": "zero"}}, 32, 16, 16, 1])
        (launch,) = steps(self.forward(body, head=self.HEAD, inputs=given, target="sm_80"), "launch")
        self.assertEqual(launch["args"][:10], [{"tensor": base}, 32, 16, 16, 1, False, 32, 16, 16, 1])

    def test_device_descriptors(self):
        body = '''
            triton.set_allocator(lambda size, align, stream: torch.empty(size, dtype=torch.int8, device="cuda"))
            y = torch.empty_like(x)
            on_device[(1,)](x, y, 32, 16, BLOCK=8)
            return y'''
        plan = self.forward(body, head=self.HEAD, inputs=[tensor([32, 16], "f16")])
        self.assertIn("tt.make_tensor_descriptor", plan["kernels"][0]["ttir"])


class Tuning(TracingTest):
    def test_every_configuration_is_an_alternative(self):
        source = module(CALL, TUNED % ("", "True"))
        plan = self.plan(source)
        (choice,) = steps(plan, "choice")
        self.assertEqual(choice["line"], line_of(source, "kernel[lambda"))
        found = [(a["config"].split(",")[0], [s.get("op") or s["grid"] for s in a["steps"]]) for a in choice["alternatives"]]
        self.assertEqual(found, [("BLOCK: 16", [[2, 1, 1]]), ("BLOCK: 32", ["aten::zero_", [1, 1, 1]]), ("BLOCK: 64", [[1, 1, 1]])])
        self.assertEqual([k["options"]["num_warps"] for k in plan["kernels"]], [2, 4, 4])

    def test_what_the_tuner_resets_and_restores_is_no_step(self):
        plan = self.forward(CALL, head=TUNED % (", reset_to_zero=['y'], restore_value=['x'], warmup=1, rep=2", "True"))
        self.assertEqual([s["kind"] for s in plan["steps"]], ["aten", "choice"])
        self.assertEqual([s["kind"] for s in steps(plan, "choice")[0]["alternatives"][0]["steps"]], ["launch"])

    def test_configurations_that_do_not_compile_or_are_pruned_are_dropped(self):
        plan = self.forward(CALL, head=TUNED % ("", "False"))
        self.assertEqual(len(steps(plan, "choice")[0]["alternatives"]), 2)
        plan = self.forward(CALL, head=TUNED % (", prune_configs_by={'early_config_prune': lambda configs, named, **k: configs[2:]}", "True"))
        (choice,) = steps(plan, "choice")  # one that the tuner tries all the same
        self.assertEqual([len(choice["alternatives"]), choice["alternatives"][0]["steps"][0]["grid"]], [1, [1, 1, 1]])

    def test_the_benchmark_of_a_first_call(self):
        head = TUNED % (", reset_to_zero=['y'], restore_value=['x']", "True")
        first, second = steps(self.forward(CALL.replace("return y", CALL), head=head), "choice")
        found = [s.get("op", s["kind"]).removeprefix("aten::") for s in first["benchmark"]]
        tried = ["zero_", "clone", "launch", "copy_", "free"]
        self.assertEqual(found, [*tried, "zero_", *tried, *tried, "zero_"])  # the second has a hook of its own
        self.assertNotIn("benchmark", second)

    def test_host_code_that_reads_the_best_configuration_is_traced_for_one(self):
        plan = self.forward(CALL.replace("return y", "return y * kernel.best_config.kwargs['BLOCK']"), head=TUNED % ("", "True"))
        self.assertEqual(len(steps(plan, "choice")[0]["alternatives"]), 1)
        self.assertEqual(steps(plan, "aten")[-1]["args"][1], 16)
        self.assertIn("best_config", plan["warnings"][0])
        self.assertEqual(plan["configurations"], 3)
        other = self.forward(CALL.replace("return y", "return y * kernel.best_config.kwargs['BLOCK']"), head=TUNED % ("", "True"), configuration=1)
        self.assertEqual(len(steps(other, "choice")[0]["alternatives"]), 1)
        self.assertEqual(steps(other, "aten")[-1]["args"][1], 32)
        self.assertEqual(self.forward(CALL, head=TUNED % ("", "True"))["configurations"], 0)

    def test_text_is_shared_only_where_the_front_end_did_not_look(self):
        head = (TUNED % ("", "True")).replace("tl.store(y + i, tl.load", "tl.store(y + i, tl.extra.cuda.num_warps() * tl.load")
        head = head.replace('{"BLOCK": 32}', '{"BLOCK": 16}')
        texts = {k["ttir"] for k in self.forward(CALL, head=head)["kernels"]}
        self.assertEqual(len(texts), 3)

    def test_what_was_lowered_serves_another_trace_of_the_program(self):
        source = module(CALL, TUNED % ("", "True"))
        first = self.answer(source, keep_lowered=True)
        self.assertEqual(len(first["lowered"]), 3)
        told = json.loads(json.dumps(first["lowered"]).replace("tt.func public @kernel", "tt.func public @told"))
        again = self.answer(source, lowered=told)
        self.assertNotIn("lowered", again)
        self.assertEqual([k["ttir"].count("@told") for k in again["plan"]["kernels"]], [1, 1, 1])
        other = self.answer(source.replace("BLOCK != 64", "BLOCK != 65"), lowered=told)
        self.assertEqual([k["ttir"].count("@told") for k in other["plan"]["kernels"]], [0, 0, 0])

    def test_a_kernel_follows_the_constants_that_it_reads(self):
        head = IMPORTS + """
FACTOR = tl.constexpr(0)

@triton.jit
def kernel(x, y, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i) * FACTOR)
"""
        body = "y = torch.empty_like(x)\nkernel[1,](x, y, BLOCK=16)\nreturn y"
        first = self.answer(module(body, head.replace("(0)", "(3.0)")), keep_lowered=True)
        again = self.answer(module(body, head.replace("(0)", "(5.0)")), lowered=first["lowered"])
        self.assertIn("5.000000e+00", again["plan"]["kernels"][0]["ttir"])

    def test_buffers_from_before_a_choice_are_freed_after_it(self):
        head = TUNED.replace('args["y"].zero_()', 'held.clear()') % ("", "True") + "\nheld = []\n"
        plan = self.forward("held.append(x + 1)\n" + CALL, head=head)
        kinds = [s["kind"] for s in plan["steps"]]
        self.assertEqual(kinds, ["aten", "aten", "choice", "free"])


if __name__ == "__main__":
    unittest.main()
