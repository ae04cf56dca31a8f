"""Memory of a process that forks many short-lived children: a fork copies the tables of its pages, and a child copies each page
that it writes to. Both are most of what a child costs; here they become fewer."""
import ctypes

_HUGE = 2 << 20
_MADV_COLLAPSE = 25
_AT_A_TIME = 4  # huge pages, of 2 to 5 ms each: about what the fork of one child costs without them
_PR_SET_THP_DISABLE = 41

_libc = ctypes.CDLL(None)
_libc.malloc.restype = _libc.sbrk.restype = ctypes.c_void_p
_libc.malloc.argtypes, _libc.free.argtypes, _libc.sbrk.argtypes = [ctypes.c_size_t], [ctypes.c_void_p], [ctypes.c_ssize_t]
_libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


def fill_holes():
    """Takes the small free pieces of the C heap for good (hundreds of KiB), so that children allocate at its end, on a few
    pages of their own, and not on a thousand shared ones."""
    _libc.malloc_trim(0)
    near_end = _libc.sbrk(0) - (256 << 10)
    for size in [*range(16384, 1024, -512), *range(1024, 16, -16)]:
        piece = _libc.malloc(size - 8)
        while piece and piece < near_end:
            piece = _libc.malloc(size - 8)
        _libc.free(piece)


def improve():
    """A step at each `next()`, between children: nothing at first, since one program's judgement needs few of them."""
    yield from range(12)
    fill_holes()
    yield
    yield from huge_pages()


def small_pages():
    """For a child: what it allocates comes in small pages from now on. It lives too briefly to be worth the clearing of huge ones."""
    _libc.prctl(_PR_SET_THP_DISABLE, 1, 0, 0, 0)


def huge_pages():
    """Makes huge pages of the memory there is, a few at each `next()`: a fork has less to copy. Where the kernel cannot (before
    Linux 6.1), nothing comes."""
    regions = []
    with open("/proc/self/maps") as maps:
        for line in maps:
            fields = line.split(None, 5)
            if fields[1] == "rw-p" and (len(fields) == 5 or fields[5].startswith("[heap]")):
                start, end = (int(x, 16) for x in fields[0].split("-"))
                regions.append((-(-start // _HUGE) * _HUGE, end // _HUGE * _HUGE))
    pages = [page for start, end in regions for page in range(start, end, _HUGE)]
    for number, page in enumerate(pages, 1):
        _libc.madvise(page, _HUGE, _MADV_COLLAPSE)  # may fail: pages of a region that went, or too few of them in use
        if number % _AT_A_TIME == 0:
            yield page
