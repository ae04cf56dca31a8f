"""The trace that this process is making: set when it starts, read wherever Triton calls back."""

recorder = None
target = None


def start(new_recorder, new_target):
    global recorder, target
    recorder, target = new_recorder, new_target
