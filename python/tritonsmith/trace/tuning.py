"""Autotuning: every configuration is recorded as an alternative, with its own grid and hooks, and none is timed. What a tuner's first
call does to memory before that is recorded beside them."""

import contextlib

from triton.compiler.errors import CompileTimeAssertionFailure
from triton.runtime.autotuner import Autotuner
from triton.runtime.errors import OutOfResources, PTXASError

from .. import current
from ..values import tensors_in


class Alternative:
    """The one being recorded. Buffers from before it that die inside it are freed after the choice, whichever is taken."""

    def __init__(self, config, first_buffer):
        self.config, self.first_buffer = config, first_buffer
        self.steps, self.freed = [], []


# What Triton's tuner takes for a configuration that does not fit.
_REFUSED = (OutOfResources, CompileTimeAssertionFailure, PTXASError)


@contextlib.contextmanager
def _aside(config):
    """Steps go into an alternative of their own, not into the program's."""
    recorder = current.recorder
    outer = recorder.steps, recorder.alternative
    alternative = Alternative(str(config), len(recorder.buffers.entries))
    recorder.steps, recorder.alternative = alternative.steps, alternative
    try:
        yield alternative
    finally:
        recorder.steps, recorder.alternative = outer


def _record(tuner, config, args, kwargs, keep):
    """Runs one configuration as a tuned call does: the configuration's own hook, then the kernel."""
    with _aside(config) as alternative:
        if config.pre_hook is not None:
            config.pre_hook({**tuner.nargs, **kwargs, **config.all_kwargs()})
        result = tuner.fn.run(*args, **kwargs, **config.all_kwargs())
    keep.append(alternative)
    return result


def _key(tuner, kwargs):
    """What the tuner remembers its choice by (Autotuner.run)."""
    given = {name: value for name, value in {**tuner.nargs, **kwargs}.items() if name in tuner.arg_names}
    return (*(given[name] for name in tuner.keys if name in given), *(str(v.dtype) for v in given.values() if hasattr(v, "dtype")))


def _benchmark(tuner, configs, args, kwargs):
    """The tuner's benchmark, each configuration once: kernels run on the program's own memory, between the tuner's hooks that reset
    and restore what they name (Autotuner._bench). Nothing where its choice is known from an earlier call."""
    _, seen = current.recorder.benchmarked.setdefault(id(tuner), (tuner, set()))
    key = _key(tuner, kwargs)
    if len(tuner.configs) < 2 or key in seen:
        return None
    seen.add(key)
    with _aside("benchmark") as benchmark:
        for config in configs:
            named = {**tuner.nargs, **kwargs, **config.all_kwargs()}
            try:
                if config.pre_hook is not None:
                    config.pre_hook(named)
                tuner.pre_hook(named)
                try:
                    tuner.fn.run(*args, **kwargs, **config.all_kwargs())
                except Exception as error:
                    tuner.post_hook(named, exception=error)
                    raise
                tuner.post_hook(named, exception=None)
            except _REFUSED:
                continue
        tuner.pre_hook({**tuner.nargs, **kwargs, **configs[0].all_kwargs()}, reset_only=True)
    return benchmark


def run(self, *args, **kwargs):
    """In place of Autotuner.run."""
    recorder = current.recorder
    self.nargs = dict(zip(self.arg_names, args))
    for tensor in tensors_in((args, kwargs)):
        # What no step has made is taken in before the choice, not inside one of its alternatives.
        recorder.buffers.id_of(tensor, recorder.line())
    configs = self.prune_configs(kwargs) if len(self.configs) > 1 else self.configs
    line = recorder.line()
    alternatives, results, chosen, error = [], [], [], None
    for config in configs:
        conflicts = kwargs.keys() & config.kwargs.keys()
        if conflicts:
            raise ValueError(f"Conflicting meta-parameters: {', '.join(conflicts)}."
                             " Make sure that you don't re-define auto-tuned symbols.")
    benchmark = _benchmark(self, configs, args, kwargs)
    for config in configs:
        try:
            results.append(_record(self, config, args, kwargs, alternatives))
            chosen.append(config)
        except _REFUSED as refused:
            error = refused
    if not alternatives:
        raise error
    taken = min(recorder.configuration, len(alternatives) - 1)
    self.__dict__["best_config"] = chosen[taken]
    self.configs_timings, self.bench_time = {config: 1.0 for config in configs}, 0.0
    self.nargs = None
    if self.__dict__.get("tritonsmith_pinned"):
        _pin(alternatives, taken)
    if len(alternatives) == 1 and not benchmark:
        recorder.steps.extend(alternatives[0].steps)
        for step in alternatives[0].steps:
            recorder.note_stream(step)
    else:
        choice = {"kind": "choice", "alternatives": [{"config": a.config, "steps": a.steps} for a in alternatives]}
        if benchmark:
            choice["benchmark"] = benchmark.steps
        recorder.add(choice, line)
        self.__dict__.setdefault("tritonsmith_choices", []).append((choice["alternatives"], taken))
    for number in dict.fromkeys(n for a in (*alternatives, *filter(None, [benchmark])) for n in a.freed):
        recorder._died(number)
    return results[0]


def _pin(alternatives, taken):
    """Only the taken one stays; the plan says how many more traces it takes to see all."""
    current.recorder.configurations = max(current.recorder.configurations, len(alternatives))
    alternatives[:] = [alternatives[taken]]


def _best_config(self):
    """Host code that knows the configuration is traced for one at a time, as the request says: by default the first."""
    if "best_config" not in self.__dict__:
        raise AttributeError("best_config")
    current.recorder.warn(f"host code reads best_config of {self.base_fn.__name__}: one configuration is traced at a time")
    self.__dict__["tritonsmith_pinned"] = True
    for alternatives, taken in self.__dict__.pop("tritonsmith_choices", ()):
        _pin(alternatives, taken)
    return self.__dict__["best_config"]


def _set_best_config(self, config):
    self.__dict__["best_config"] = config


def install():
    """Once, in the zygote."""
    Autotuner.run = run
    Autotuner.best_config = property(_best_config, _set_best_config)
