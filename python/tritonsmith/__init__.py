"""Python's part of tritonsmith: the tracer, which records what a program asks of its device, and the compiler service."""
