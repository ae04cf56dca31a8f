"""`tritonsmith train sft` as a command: configuration in TOML, signals, exit codes, --set, --resume."""
import json
import os
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

try:
    import transformers

    from model_families import PROGRAMS
    from tiny_training import ONE_THREAD, configuration, write_everything, write_toml
    PROGRAM = PROGRAMS / "tritonsmith"
    missing = next((f"no {program}" for program in (PROGRAM, PROGRAMS / "tritonsmith-train", PROGRAMS / "tritonsmith-worker") if not program.exists()), None)
except ImportError as error:
    missing = str(error)


@unittest.skipIf(missing, missing)
class TrainCommand(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        write_everything(self.folder)
        self.file = self.folder / "run.toml"
        tables = configuration(self.folder, "run", schedule={"kind": "constant", "decay": 0})
        write_toml(self.file, tables)

    def command(self, *arguments):
        return [PROGRAM, "train", "sft", self.file, *arguments]

    def run_command(self, *arguments):
        return subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=300, env=os.environ | ONE_THREAD)

    def steps(self):
        file = self.folder / "run/metrics.jsonl"
        return [json.loads(line)["step"] for line in file.read_text().splitlines()] if file.exists() else []

    def test_a_run_ends_and_says_so(self):
        done = self.run_command("--json", "--set", "run.steps=3", "--set", "schedule.warmup=1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["steps"], 3)
        self.assertIn("memory: weights", done.stderr)
        self.assertEqual(json.loads((self.folder / "run/run.json").read_text())["settings"]["run"]["steps"], 3)

    def test_of_several_processes_the_first_speaks(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            variables = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free.getsockname()[1])}
        command = self.command("--json", "--set", "run.steps=3", "--set", "schedule.warmup=1", "--set", "run.zero=layers")
        processes = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                      env=os.environ | ONE_THREAD | variables | {"RANK": rank}) for rank in "01"]
        (first, told), (second, silent) = [process.communicate(timeout=300) for process in processes]
        self.assertEqual([process.returncode for process in processes], [0, 0], told + silent)
        self.assertEqual(json.loads(first)["steps"], 3)
        self.assertIn("whole layers", told)
        self.assertEqual((second, silent), ("", ""))
        self.assertEqual(json.loads((self.folder / "run/run.json").read_text())["processes"], 2)

    def test_sigterm_leaves_a_checkpoint_to_go_on_from(self):
        last = self.stop_behind_three_steps(signal.SIGTERM, os.kill)
        done = self.run_command("--resume", "--set", f"run.steps={last + 2}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.steps(), list(range(1, last + 3)))

    def test_what_timeout_sends_leaves_a_checkpoint(self):
        def send(pid, number):  # as timeout(1) does, and late enough that the signals do not become one
            os.kill(pid, number)
            time.sleep(0.01)
            os.killpg(pid, number)
            os.killpg(pid, signal.SIGCONT)
        last = self.stop_behind_three_steps(signal.SIGINT, send)
        self.assertEqual(os.readlink(self.folder / "run/checkpoints/last"), f"step-{last:08}")

    def stop_behind_three_steps(self, number, send):
        """The step that a run ended behind."""
        process = subprocess.Popen(self.command("--set", "run.steps=100000"), stderr=subprocess.PIPE, text=True, env=os.environ | ONE_THREAD,
                                   start_new_session=True)
        end = time.monotonic() + 120
        while len(self.steps()) < 3 and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        send(process.pid, number)
        errors = process.communicate(timeout=120)[1]
        self.assertEqual(process.returncode, 128 + number, errors)
        self.assertIn("--resume", errors)
        return self.steps()[-1]

    def test_export_writes_int8_files_once(self):
        done = self.run_command("--set", "run.steps=1", "--set", "schedule.warmup=0")
        self.assertEqual(done.returncode, 0, done.stderr)
        folder, checkpoint = self.folder / "int8", self.folder / "run/checkpoints/last"
        command = [PROGRAM, "train", "export", checkpoint, "-o", folder, "--dtype", "int8", "--shard-mib", "1"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads((folder / "config.json").read_text())["quantization_config"]["format"], "int-quantized")
        self.assertEqual((folder / "tokenizer.json").read_bytes(), (checkpoint / "tokenizer.json").read_bytes())
        again = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual(again.returncode, 2)
        self.assertIn("exists", again.stderr)
        self.assertEqual(list(self.folder.glob("*.part")), [])
        whole = subprocess.run([PROGRAM, "train", "export", folder, "-o", self.folder / "whole", "--dtype", "float32"], capture_output=True, text=True)
        self.assertEqual(whole.returncode, 0, whole.stderr)
        self.assertIsNotNone(transformers.AutoModelForCausalLM.from_pretrained(self.folder / "whole"))

    def test_a_tokenizer_of_ones_own(self):
        code = self.folder / "code.py"
        code.write_text("".join(f"def scale_{n}(x):\n    if x:\n        return x * {n}\n" for n in range(300)))
        folder, file = self.folder / "tokenizer", self.folder / "tokenizer.toml"
        file.write_text(f'[tokenizer]\nfolder = "{folder}"\nvocabulary = 400\n[[data.sources]]\nfiles = "{code}"\n'
                        f'[[data.sources]]\nfiles = "{self.folder}/train.jsonl"\n')
        command = [PROGRAM, "train", "tokenizer", file]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        text = "def scale_17(x):\n    if x:\n        return x * 17\n"
        tokens = tokenizer.convert_ids_to_tokens(tokenizer.encode(text))
        self.assertEqual(tokenizer.decode(tokenizer.encode(text)), text)
        self.assertEqual([token for token in tokens if "1" in token or "7" in token], ["1", "7", "1", "7"])
        self.assertEqual([token for token in tokens if "\u010a" in token], ["\u010a" + 4 * "\u0120", "\u010a" + 8 * "\u0120", "\u010a"])
        self.assertEqual(tokenizer.convert_tokens_to_ids(["<|endoftext|>", "<|im_start|>", "<|im_end|>"]), [0, 1, 2])
        shape = json.loads((self.folder / "model/config.json").read_text()) | {"vocab_size": 400, "eos_token_id": 2}
        (folder / "config.json").write_text(json.dumps(shape))
        done = self.run_command("--set", f"model.folder={folder}", "--set", "run.steps=6", "--set", "data.longest=256")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(subprocess.run(command, capture_output=True, text=True).returncode, 2)  # never written over

    def test_bad_input_is_one_line_and_writes_nothing(self):
        for arguments, words in ((["--set", "run.stesp=3"], ["[run]", "stesp"]), (["--set", "schedule.learning_rate=fast"], ["learning_rate", "number"]),
                                 (["--set", "run"], ["PATH=VALUE"])):
            done = self.run_command(*arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            for word in words:
                self.assertIn(word, done.stderr)
        self.file.write_text("[run]\nfolder = here\n")
        self.assertIn("run.toml:2", self.run_command().stderr)
        self.assertFalse((self.folder / "run").exists())


if __name__ == "__main__":
    unittest.main()
