"""Tasks: phases, constants, devices, recurrent layers."""

import unittest

from tracing import TracingTest, buffer, operators, steps

TASK = '''import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x, k):
        return self.linear(x) * k

N = 4096
batch, shape = 8, (16, N, 3)
SCALE = 2.0
TWICE = 1
TWICE = 2

def get_inputs():
    return [torch.rand(batch, N), 3]

def get_init_inputs():
    return [N]
'''
RECURRENT = '''import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(6, 5, num_layers=2, bidirectional=True, batch_first=True)
        self.gru = nn.GRU(10, 4)
        self.rnn = nn.RNN(4, 3, nonlinearity="relu")

    def forward(self, x):
        y, (h, c) = self.lstm(x)
        z, _ = self.gru(y)
        w, last = self.rnn(z)
        return w, last, h, c

def get_inputs():
    return [torch.rand(2, 7, 6)]

def get_init_inputs():
    return []
'''


CALLS = '''import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls, self.table = 0, None

    def forward(self, x):
        self.calls += 1
        WHAT

def get_inputs():
    x = torch.randn(8)
    return [x]

def get_init_inputs():
    return []
'''


class References(TracingTest):
    def test_a_count_that_python_keeps_is_not_judged(self):
        error = self.error(CALLS.replace("WHAT", "return x / self.calls"), kind="reference", device="cpu")
        self.assertEqual(error["reason"], "unsupported_operation")
        self.assertIn("each of its calls", error["message"])
        for same in ("return x + 1", "return x / 2 if self.calls > 3 and self.calls < 3 else x"):
            self.plan(CALLS.replace("WHAT", same), kind="reference", device="cpu")

    def test_a_table_that_the_first_call_makes_is_no_count(self):
        lazily = "self.table = torch.arange(8) if self.table is None else self.table; return x + self.table"
        self.plan(CALLS.replace("WHAT", lazily), kind="reference", device="cpu")

    def test_a_state_that_each_call_leaves_for_the_next_is_no_count(self):
        start = CALLS.replace("None", "torch.zeros(8)")
        for kept in ("self.table.copy_(x); self.table = torch.tanh(x + self.table); return self.table", "self.table = x + self.table; return self.table"):
            self.plan(start.replace("self.calls += 1", "").replace("WHAT", kept), kind="reference", device="cpu")

    def test_an_argument_given_twice_is_two(self):
        text = CALLS.replace("def forward(self, x):", "def forward(self, x, y):").replace("WHAT", "return x * y").replace("[x]", "[x, x]")
        plan = self.plan(text, kind="reference", device="cpu")
        self.assertEqual(operators(plan, "inputs"), ["aten::randn", "aten::clone"])
        self.assertNotEqual(buffer(plan["inputs"][0]), buffer(plan["inputs"][1]))

    def test_phases(self):
        plan = self.plan(TASK, kind="reference")
        self.assertEqual(operators(plan, "inputs"), ["aten::rand"])
        self.assertEqual(operators(plan, "init"), ["aten::empty.memory_format", "aten::empty.memory_format", "aten::uniform_", "aten::uniform_"])
        self.assertEqual(operators(plan, "forward"), ["aten::t", "aten::addmm", "aten::mul.Tensor"])
        self.assertEqual(buffer(plan["inputs"][0]), buffer(plan["steps"][0]["result"]))
        self.assertEqual((plan["inputs"][1], plan["init_inputs"]), (3, [4096]))
        self.assertEqual((plan["role"], plan["device"], plan["target"]), ("reference", "cuda", "sm_90"))

    def test_constants_are_reported_and_overridden(self):
        plan = self.plan(TASK, kind="reference")
        self.assertEqual(plan["constants"], {"N": 4096, "batch": 8, "shape[0]": 16, "shape[2]": 3, "get_inputs#0": 3})
        plan = self.plan(TASK, kind="reference", constants={"N": 64, "batch": 2})
        self.assertEqual(plan["inputs"][0]["tensor"]["shape"], [2, 64])
        self.assertEqual(plan["constants"]["N"], 64)
        self.assertEqual(plan["init_inputs"], [64])

    def test_tuple_elements_have_an_index(self):
        task = TASK.replace("batch, shape = 8, (16, N, 3)", "batch = 8\nshape = (16, N, 3)").replace("torch.rand(batch, N)", "torch.rand(shape[0], N)")
        plan = self.plan(task, kind="reference", constants={"shape[0]": 4})
        self.assertEqual(plan["constants"], {"N": 4096, "batch": 8, "shape[0]": 4, "shape[2]": 3, "get_inputs#0": 0, "get_inputs#1": 3})
        self.assertEqual(plan["inputs"][0]["tensor"]["shape"], [4, 4096])

    def test_an_override_of_nothing_is_an_error(self):
        error = self.error(TASK, kind="reference", constants={"M": 1})
        self.assertIn('no integer of the task is named "M"', error["message"])

    def test_lines_are_those_of_the_text_whatever_is_overridden(self):
        plan = self.plan(TASK, kind="reference", constants={"N": 64})
        self.assertEqual(steps(plan, "aten", "forward")[-1]["line"], 10)

    def test_the_cpu_trace_executes_and_says_the_same(self):
        gpu = self.plan(TASK, kind="reference", constants={"N": 64})
        cpu = self.plan(TASK, kind="reference", constants={"N": 64}, device="cpu")
        self.assertEqual([s["op"] for s in steps(cpu, "aten")], [s["op"] for s in steps(gpu, "aten")])
        self.assertEqual(cpu["output"]["tensor"]["shape"], gpu["output"]["tensor"]["shape"])
        self.assertEqual({b["address"] for b in cpu["buffers"]}, {0})

    def test_inputs_made_on_the_host_are_moved(self):
        task = TASK.replace("torch.rand(batch, N)", "torch.rand(batch, N, device='cpu')")
        plan = self.plan(task, kind="reference")
        self.assertEqual(operators(plan, "inputs"), ["aten::rand", "aten::_to_copy"])
        self.assertEqual(buffer(plan["inputs"][0]), buffer(steps(plan, "aten", "inputs")[1]["result"]))
        task = TASK.replace("torch.rand(batch, N)", "torch.rand(batch, N, device='cuda')")
        self.assertEqual(operators(self.plan(task, kind="reference", device="cpu"), "inputs"), ["aten::rand"])

    def test_a_host_generator_names_the_law_only(self):
        task = TASK.replace("torch.rand(batch, N)", "torch.rand(batch, N, generator=torch.Generator().manual_seed(1))")
        plan = self.plan(task, kind="reference")
        self.assertEqual(plan["steps"][0]["draw"], 0)

    def test_recurrent_layers_are_whole_on_both_devices(self):
        outputs = []
        for device in ("cuda", "cpu"):
            plan = self.plan(RECURRENT, kind="reference", device=device)
            named = [s for s in operators(plan) if "lstm" in s or "gru" in s or "rnn" in s]
            self.assertEqual(named, ["aten::lstm.input", "aten::gru.input", "aten::rnn_relu.input"])
            outputs.append([v["tensor"]["shape"] for v in plan["output"]["tuple"]])
        self.assertEqual(outputs[0], [[2, 7, 3], [1, 7, 3], [4, 2, 5], [4, 2, 5]])
        self.assertEqual(outputs[0], outputs[1])

    def test_attention_is_chosen_as_on_a_gpu(self):
        task = RECURRENT[:RECURRENT.index("class")] + '''class Model(nn.Module):
    def forward(self, q):
        return nn.functional.scaled_dot_product_attention(q, q, q)

def get_inputs():
    return [torch.rand(2, 4, 64, 64).half()]
'''
        for target in ("sm_80", "sm_90"):
            names = operators(self.plan(task, kind="reference", target=target))
            self.assertTrue(any(n.startswith(("aten::_scaled_dot_product_flash", "aten::_scaled_dot_product_efficient", "aten::_scaled_dot_product_cudnn"))
                                for n in names), names)
        names = operators(self.plan(task, kind="reference", device="cpu"))
        self.assertIn("aten::_scaled_dot_product_flash_attention_for_cpu", names)

    def test_attention_of_two_widths_is_fused_on_a_cpu_too(self):
        task = RECURRENT[:RECURRENT.index("class")] + '''class Model(nn.Module):
    def forward(self, q, k, v):
        return nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)

def get_inputs():
    return [torch.rand(2, 4, 64, width, dtype=torch.TYPE) for width in (32, 32, WIDTH)]
'''
        for dtype, width, fused in (("half", 16, True), ("bfloat16", 48, True), ("float32", 16, False)):
            plan = self.plan(task.replace("TYPE", dtype).replace("WIDTH", str(width)), kind="reference", device="cpu")
            self.assertEqual("aten::_scaled_dot_product_flash_attention_for_cpu" in operators(plan), fused, dtype)
            self.assertEqual(plan["output"]["tensor"]["shape"], [2, 4, 64, width])
            if fused:
                call = next(s for s in steps(plan, "aten") if s["op"] == "aten::_scaled_dot_product_flash_attention_for_cpu")
                self.assertEqual([a["tensor"]["shape"][3] for a in call["args"][:3]], [max(32, width)] * 3)
                self.assertAlmostEqual(call["kwargs"]["scale"], 32 ** -0.5)

    def test_an_unknown_target_is_an_error(self):
        self.assertIn("sm_75", self.error(TASK, kind="reference", target="sm_75")["message"])


if __name__ == "__main__":
    unittest.main()
