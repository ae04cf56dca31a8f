"""The losses of policy gradients against a plain PyTorch implementation: values and gradients by autograd, on random tokens."""
import itertools
import tempfile
import unittest
from pathlib import Path

try:
    import torch
    from safetensors.torch import load_file, save_file

    from model_families import PROGRAMS, Tool
    from tiny_training import ONE_THREAD
    TRAIN_TOOL = PROGRAMS / "tritonsmith-train-tool"
    missing = None if TRAIN_TOOL.exists() else f"no {TRAIN_TOOL}"
except ImportError as error:
    missing = str(error)

LENGTHS = (5, 1, 17, 9, 40)


def random_tokens(seed):
    """Tokens of answers, with ratios within and beyond the clip range and advantages of both signs."""
    random = torch.Generator().manual_seed(seed)
    count = sum(LENGTHS)
    normal = lambda scale: torch.randn(count, generator=random) * scale
    logprobs = -torch.rand(count, generator=random) * 3
    sequences = torch.repeat_interleave(torch.arange(len(LENGTHS)), torch.tensor(LENGTHS))
    return {"logprobs": logprobs, "old": logprobs + normal(0.4), "rollout": logprobs + normal(0.6), "reference": logprobs + normal(0.5),
            "sequences": sequences, "advantages": torch.randn(len(LENGTHS), generator=random)[sequences] * 2,
            "weights": torch.rand(count, generator=random), "kl_weights": torch.rand(count, generator=random)}


def plain_loss(t, logprobs, ratio="token", objective="clip", clip_low=0.2, clip_high=0.2, dual_clip=0, kl=0, kl_form="k3", importance_cap=0):
    """As the papers write it; autograd does the rest."""
    losses = torch.zeros_like(logprobs)
    for sequence in range(len(LENGTHS)):
        mine = t["sequences"] == sequence
        log_ratio = logprobs[mine] - t["old"][mine]
        if ratio == "sequence":  # GSPO-token: s_i = sg[s_i] pi / sg[pi]
            log_ratio = log_ratio.mean().detach() + logprobs[mine] - logprobs[mine].detach()
        r, a = log_ratio.exp(), t["advantages"][mine]
        bounded = torch.clamp(r, 1 - clip_low, 1 + clip_high)
        if objective == "cispo":
            loss = -bounded.detach() * a * logprobs[mine]
        else:
            loss = torch.max(-a * r, -a * bounded)
            if dual_clip:
                loss = torch.where(a < 0, torch.min(loss, -a * dual_clip), loss)
        loss = loss * t["weights"][mine]
        if importance_cap:
            loss = loss * torch.clamp((t["old"][mine] - t["rollout"][mine]).exp(), max=importance_cap)
        if kl:
            delta = logprobs[mine] - t["reference"][mine]
            value = {"k1": delta, "k2": delta ** 2 / 2, "k3": torch.exp(-delta) + delta - 1}[kl_form]
            loss = loss + kl * t["kl_weights"][mine] * value
        losses = losses.index_put((mine.nonzero().squeeze(1),), loss)
    return losses


@unittest.skipIf(missing, missing)
class TrainPolicy(unittest.TestCase):
    def setUp(self):
        self.tool = self.enterContext(Tool(TRAIN_TOOL, **ONE_THREAD))
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def ours(self, tokens, rewards=(), **settings):
        save_file(tokens, self.folder / "values.safetensors")
        (self.folder / "out.safetensors").unlink(missing_ok=True)
        answer = self.tool.must(do="policy", values=str(self.folder / "values.safetensors"), rewards=list(rewards), settings=settings,
                                out=str(self.folder / "out.safetensors"))
        return answer, load_file(self.folder / "out.safetensors")

    def compare(self, seed=0, on_policy=False, **settings):
        tokens = random_tokens(seed)
        _, ours = self.ours(tokens, on_policy=on_policy, **settings)
        if on_policy:
            tokens["old"] = tokens["logprobs"]
        logprobs = tokens["logprobs"].double().requires_grad_()
        losses = plain_loss({name: value.double() if value.is_floating_point() else value for name, value in tokens.items()}, logprobs, **settings)
        gradient, = torch.autograd.grad(losses.sum(), logprobs)
        torch.testing.assert_close(ours["losses"].double(), losses.detach(), rtol=2e-5, atol=1e-6)
        torch.testing.assert_close(ours["gradients"].double(), gradient, rtol=2e-5, atol=1e-6)
        return ours, gradient

    def test_every_form_has_the_values_and_gradients_of_autograd(self):
        for seed, (ratio, objective) in enumerate(itertools.product(("token", "sequence"), ("clip", "cispo"))):
            for changes in ({}, {"clip_high": 0.28}, {"clip_low": 0.02, "clip_high": 0.03}, {"importance_cap": 2}):
                with self.subTest(ratio=ratio, objective=objective, **changes):
                    self.compare(seed, ratio=ratio, objective=objective, **changes)

    def test_before_the_first_update_the_old_policy_is_the_current_one(self):
        for ratio, objective in itertools.product(("token", "sequence"), ("clip", "cispo")):
            ours, _ = self.compare(on_policy=True, ratio=ratio, objective=objective, importance_cap=1.5)
            self.assertFalse(ours["clipped"].any())

    def test_dual_clip(self):
        for c in 1.5, 3:
            ours, gradient = self.compare(dual_clip=c, clip_high=0.28)
            self.assertTrue(torch.equal(ours["clipped"].bool(), gradient == 0))

    def test_divergences_from_a_reference(self):
        for form in "k1", "k2", "k3":
            with self.subTest(form):
                self.compare(kl=0.3, kl_form=form)
                self.compare(kl=0.3, kl_form=form, ratio="sequence", importance_cap=1.2)

    def test_what_is_clipped_has_no_gradient_of_the_policy(self):
        ours, gradient = self.compare()
        clipped = ours["clipped"].bool()
        self.assertTrue(torch.equal(clipped, gradient == 0))
        self.assertTrue(0 < clipped.sum() < len(clipped))

    def test_advantages(self):
        random = torch.Generator().manual_seed(4)
        groups = [torch.rand(n, generator=random).double().tolist() for n in (2, 4, 16)] + [[1.0]]
        for baseline in "mean", "leave_one_out":
            for deviation in False, True:
                answer, _ = self.ours(random_tokens(0), groups, baseline=baseline, deviation=deviation)
                for ours, rewards in zip(answer["advantages"], groups, strict=True):
                    r = torch.tensor(rewards, dtype=torch.float64)
                    if len(r) == 1:
                        self.assertEqual(ours, [0])
                        continue
                    expected = r - r.mean() if baseline == "mean" else r - (r.sum() - r) / (len(r) - 1)
                    if deviation:
                        expected = expected / (r.std() + 1e-6)
                    torch.testing.assert_close(torch.tensor(ours, dtype=torch.float64), expected)

    def test_mismatch(self):
        tokens = random_tokens(7)
        ours, _ = self.ours(tokens)
        delta = tokens["old"].double() - tokens["rollout"].double()
        weights = delta.exp()
        expected = {"kl": (weights - 1 - delta).mean(), "largest": delta.abs().max(), "effective": weights.sum() ** 2 / (len(weights) * (weights ** 2).sum())}
        for name, value in expected.items():
            self.assertAlmostEqual(ours["mismatch"][name], value.item(), places=9)


if __name__ == "__main__":
    unittest.main()
