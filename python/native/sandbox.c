/* Module _sandbox: enter(...) and features(). The work is done in src/base/sandbox/sandbox_core.c. */
#define Py_LIMITED_API 0x03090000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdlib.h>
#include <string.h>

#include "base/sandbox/sandbox_core.h"

enum { MOST = 512 };

struct paths {
    const char* list[MOST + 1];
    PyObject* keep_alive;
};

/* A sequence of str or path-like objects → C strings that live as long as `keep_alive`. */
static int read_paths(PyObject* sequence, struct paths* out) {
    out->list[0] = NULL;
    out->keep_alive = NULL;
    if (!sequence || sequence == Py_None) return 0;
    Py_ssize_t n = PySequence_Size(sequence);
    if (n < 0) return -1;
    if (n > MOST) {
        PyErr_SetString(PyExc_ValueError, "sandbox: too many paths");
        return -1;
    }
    out->keep_alive = PyList_New(0);
    if (!out->keep_alive) return -1;
    for (Py_ssize_t i = 0; i < n; ++i) {
        PyObject* item = PySequence_GetItem(sequence, i);
        PyObject* bytes = NULL;
        int ok = item && PyUnicode_FSConverter(item, &bytes) && PyList_Append(out->keep_alive, bytes) == 0;
        if (ok) out->list[i] = PyBytes_AsString(bytes);
        Py_XDECREF(item);
        Py_XDECREF(bytes);
        if (!ok) return -1;
    }
    out->list[n] = NULL;
    return 0;
}

static int read_descriptors(PyObject* sequence, int* out, size_t* count) {
    *count = 0;
    if (!sequence || sequence == Py_None) return 0;
    Py_ssize_t n = PySequence_Size(sequence);
    if (n < 0 || n > MOST) {
        if (n > MOST) PyErr_SetString(PyExc_ValueError, "sandbox: too many descriptors");
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; ++i) {
        PyObject* item = PySequence_GetItem(sequence, i);
        long fd = item ? PyLong_AsLong(item) : -1;
        Py_XDECREF(item);
        if (PyErr_Occurred()) return -1;
        out[(*count)++] = (int)fd;
    }
    return 0;
}

static PyObject* py_enter(PyObject* self, PyObject* args, PyObject* kwargs) {
    (void)self;
    static char* names[] = {"profile",    "read_only",   "read_write", "execute", "keep",        "data_bytes",
                            "file_bytes", "cpu_seconds", "open_files", "parent",  "no_landlock", NULL};
    const char* profile = NULL;
    PyObject *read_only = NULL, *read_write = NULL, *execute = NULL, *keep = NULL;
    long long data_bytes = 0, file_bytes = 0, cpu_seconds = 0, open_files = 0;
    int parent = 0, no_landlock = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|$OOOOLLLLip", names, &profile, &read_only, &read_write,
                                     &execute, &keep, &data_bytes, &file_bytes, &cpu_seconds, &open_files,
                                     &parent, &no_landlock)) {
        return NULL;
    }
    struct sandbox_options o;
    memset(&o, 0, sizeof o);
    if (strcmp(profile, "trace") == 0) {
        o.profile = SANDBOX_TRACE;
    } else if (strcmp(profile, "compile") == 0) {
        o.profile = SANDBOX_COMPILE;
    } else if (strcmp(profile, "worker") == 0) {
        o.profile = SANDBOX_WORKER;
    } else if (strcmp(profile, "gpu") == 0) {
        o.profile = SANDBOX_GPU;
    } else if (strcmp(profile, "gpu_compile") == 0) {
        o.profile = SANDBOX_GPU_COMPILE;
    } else {
        PyErr_SetString(PyExc_ValueError,
                        "sandbox: profile is 'trace', 'compile', 'worker', 'gpu' or 'gpu_compile'");
        return NULL;
    }
    static struct paths readable, writable, executable; /* large, and entered once */
    readable.keep_alive = writable.keep_alive = executable.keep_alive = NULL;
    int descriptors[MOST];
    PyObject* result = NULL;
    if (read_paths(read_only, &readable) == 0 && read_paths(read_write, &writable) == 0 &&
        read_paths(execute, &executable) == 0 && read_descriptors(keep, descriptors, &o.keep_count) == 0) {
        o.read_only = readable.list;
        o.read_write = writable.list;
        o.execute = executable.list;
        o.keep = descriptors;
        o.data_bytes = data_bytes;
        o.file_bytes = file_bytes;
        o.cpu_seconds = cpu_seconds;
        o.open_files = open_files;
        o.parent = parent;
        o.no_landlock = no_landlock;
        char error[512];
        if (sandbox_enter(&o, error, sizeof error) == 0) {
            result = Py_None;
            Py_INCREF(result);
        } else {
            PyErr_SetString(PyExc_OSError, error);
        }
    }
    Py_XDECREF(readable.keep_alive);
    Py_XDECREF(writable.keep_alive);
    Py_XDECREF(executable.keep_alive);
    return result;
}

static PyObject* py_features(PyObject* self, PyObject* unused) {
    (void)self, (void)unused;
    struct sandbox_features f;
    sandbox_probe(&f);
    return Py_BuildValue("{s:i,s:N,s:N}", "landlock_abi", f.landlock_abi, "seccomp",
                         PyBool_FromLong(f.seccomp), "user_namespaces", PyBool_FromLong(f.user_namespaces));
}

static PyMethodDef methods[] = {
    {"enter", (PyCFunction)(void (*)(void))py_enter, METH_VARARGS | METH_KEYWORDS,
     "enter(profile, *, read_only=(), read_write=(), execute=(), keep=(), data_bytes=0, file_bytes=0, "
     "cpu_seconds=0,\n"
     "      open_files=0, parent=0, no_landlock=False)\n\n"
     "Restricts this process for good (it must have one thread). Descriptors but 0, 1, 2 and `keep` are "
     "closed.\n"
     "Raises OSError where that fails; the process must then end."},
    {"features", py_features, METH_NOARGS, "What the kernel offers: landlock_abi, seccomp, user_namespaces."},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_sandbox", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__sandbox(void) {
    return PyModule_Create(&module);
}
