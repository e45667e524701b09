# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""What is looked for in all bytes of a page, compiled: each function gives what its namesake in page.decode or
page.segment gives, which are the reference (tests/page/test_bytes.py).
"""

from libc.stdint cimport uint64_t
from libc.string cimport memchr, memcpy

cdef extern from *:
    """
    #ifndef NEWSCRAWL_SOURCES
    #define NEWSCRAWL_SOURCES ""
    #endif
    """
    const char* NEWSCRAWL_SOURCES

SOURCES = NEWSCRAWL_SOURCES.decode()
"""What this was built from (newscrawl.compiled)."""

ctypedef const unsigned char* Bytes
cdef uint64_t HIGH = 0x8080808080808080ULL


cdef inline int character_at(Bytes at, Bytes end) noexcept nogil:
    """Bytes of the character beyond ASCII at `at`, by table 3-7 of the Unicode standard; 0 where there is none."""
    cdef unsigned char first = at[0], second
    cdef Py_ssize_t left = end - at
    if first < 0xC2 or left < 2:
        return 0
    second = at[1]
    if first < 0xE0:
        return 2 if second & 0xC0 == 0x80 else 0
    if first < 0xF0:
        if left < 3 or at[2] & 0xC0 != 0x80:
            return 0
        if first == 0xE0:
            return 3 if 0xA0 <= second <= 0xBF else 0
        if first == 0xED:
            return 3 if 0x80 <= second <= 0x9F else 0
        return 3 if second & 0xC0 == 0x80 else 0
    if first > 0xF4 or left < 4 or at[2] & 0xC0 != 0x80 or at[3] & 0xC0 != 0x80:
        return 0
    if first == 0xF0:
        return 4 if 0x90 <= second <= 0xBF else 0
    if first == 0xF4:
        return 4 if 0x80 <= second <= 0x8F else 0
    return 4 if second & 0xC0 == 0x80 else 0


def is_utf8(bytes body not None):
    """`decode.is_utf8`."""
    cdef Bytes at = body
    cdef Bytes end = at + len(body)
    cdef uint64_t some[4]
    cdef int size
    while at < end:
        if end - at >= 32:
            memcpy(some, at, 32)
            if not (some[0] | some[1] | some[2] | some[3]) & HIGH:
                at += 32
                continue
        if at[0] < 0x80:
            at += 1
            continue
        size = character_at(at, end)
        if not size:
            return False
        at += size
    return True


def unclosed_tags(bytes html not None):
    """`segment.unclosed_tags`."""
    cdef const char* at = html
    cdef const char* end = at + len(html)
    cdef Py_ssize_t count = 0
    at = <const char*> memchr(at, c"<", end - at)
    while at != NULL:
        at += 1
        count += 1 if at == end or at[0] != c"/" else -1
        at = <const char*> memchr(at, c"<", end - at)
    return count
