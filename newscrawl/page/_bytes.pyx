# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""What is looked for in all bytes of a page, compiled: each function gives what its namesake gives that is the reference
(tests/kernels).
"""

from libc.stdint cimport uint64_t
from libc.string cimport memchr, memcpy

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize

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


# ---------------------------------------------------------------------------------------------------------------------
# The end of a document: page.cuts.

cdef uint64_t ONES = 0x0101010101010101ULL


cdef inline uint64_t differs(Bytes at, uint64_t folded, uint64_t expected) noexcept nogil:
    """Eight bytes from `at`, with the bits `folded` set: a byte is 0 if it is then `expected`."""
    cdef uint64_t some
    memcpy(&some, at, 8)
    return (some | folded * ONES) ^ (expected * ONES)


def first_end(bytes html not None):
    """`ends.first_end`. Eight positions are tested at once for a byte that both words may have, in letters of any
    case: `<`, `/`, one like b and h, and one like d and m."""
    cdef Bytes start = html
    cdef Bytes at = start
    cdef Bytes end = start + len(html)
    cdef Bytes until
    cdef uint64_t other
    while at < end:
        until = at + 8
        if end - at >= 12:
            other = differs(at, 0, c"<") | differs(at + 1, 0, c"/")
            if not (other - ONES) & ~other & HIGH:
                at = until
                continue
            other |= differs(at + 2, 0x2A, 0x6A) | differs(at + 4, 0x29, 0x6D)
            if not (other - ONES) & ~other & HIGH:
                at = until
                continue
        while at < until and at < end:
            if at[0] == c"<" and (is_same(at, end, "</body", 6) or is_same(at, end, "</html", 6)):
                return at - start
            at += 1
    return -1


# ---------------------------------------------------------------------------------------------------------------------
# Scripts and styles: page.cuts, which says where nothing is cut, and why.

cdef enum Name:
    OTHER, SCRIPT, STYLE, RAW, TITLE, FOREIGN, SELECT, UNSURE

cdef tuple NAMES = (
    (b"script", SCRIPT), (b"style", STYLE), (b"title", TITLE), (b"textarea", RAW), (b"xmp", RAW), (b"iframe", RAW),
    (b"noembed", RAW), (b"noframes", RAW), (b"svg", FOREIGN), (b"select", SELECT), (b"math", UNSURE),
    (b"frameset", UNSURE), (b"plaintext", UNSURE), (b"foreignobject", UNSURE),
)

cdef struct Known:
    const char* text
    Py_ssize_t length
    Name name

cdef Known known[16]
cdef int known_count = 0
for _text, _name in NAMES:
    known[known_count].text = <const char*> <bytes> _text
    known[known_count].length, known[known_count].name = len(_text), _name
    known_count += 1


cdef enum:
    WHITE = 1
    ENDS_NAME = 2
    ENDS_ATTRIBUTE = 4
    ENDS_VALUE = 8

cdef enum:
    MAX_ATTRIBUTES = 500  # of one element: libxml2 compares each with all before it

cdef unsigned char kinds[256]
for _code in range(256):
    _sign = chr(_code)
    kinds[_code] = (
        WHITE * (_sign in " \t\n\f\r")
        | ENDS_NAME * (_sign in " \t\n\f\r/>\0")  # NUL stands behind the last byte
        | ENDS_ATTRIBUTE * (_sign in " \t\n\f\r/>=\0")
        | ENDS_VALUE * (_sign in " \t\n\f\r>\0")
    )


cdef inline bint is_letter(unsigned char c) noexcept nogil:
    return 97 <= (c | 32) <= 122


cdef inline bint is_space(unsigned char c) noexcept nogil:
    return kinds[c] & WHITE


cdef inline bint is_same(Bytes at, Bytes end, const char* word, Py_ssize_t length) noexcept nogil:
    """Whether a word of small ASCII letters stands at `at`, in letters of any case."""
    cdef Py_ssize_t i
    if end - at < length:
        return False
    for i in range(length):
        if (at[i] | 32 if is_letter(at[i]) else at[i]) != <unsigned char> word[i]:
            return False
    return True


cdef inline Bytes find(Bytes at, Bytes end, const char* word, Py_ssize_t length) noexcept nogil:
    """Where a word that begins with a sign stands next, in letters of any case; NULL for nowhere."""
    while at < end:
        at = <Bytes> memchr(at, word[0], end - at)
        if at == NULL:
            return NULL
        if is_same(at, end, word, length):
            return at
        at += 1
    return NULL


cdef inline Bytes skip_to(Bytes at, unsigned char kind) noexcept nogil:
    while not kinds[at[0]] & kind:
        at += 1
    return at


cdef inline Bytes skip_white(Bytes at) noexcept nogil:
    while kinds[at[0]] & WHITE:
        at += 1
    return at


cdef Known* name_of(Bytes at, Bytes name_end) noexcept nogil:
    cdef int i
    cdef unsigned char first = at[0] | 32
    for i in range(known_count):
        if known[i].text[0] == first and name_end - at == known[i].length:
            if is_same(at, name_end, known[i].text, known[i].length):
                return &known[i]
    return NULL


cdef Bytes end_of_tag(Bytes at, Bytes end, bint* closes, Bytes* rest) noexcept nogil:
    """The ">" of a start tag from behind its name on, NULL for none.

    `closes` tells whether it is "/>", `rest` where attributes begin that are too many, NULL for nowhere.
    """
    cdef int count = 0
    closes[0], rest[0] = False, NULL
    while True:
        if at[0] == c">":
            return at
        if kinds[at[0]] & ENDS_NAME:
            if not at[0]:
                return NULL
            closes[0] = at[0] == c"/"
            at += 1
            continue
        closes[0] = False
        if count == MAX_ATTRIBUTES:
            rest[0] = at
        count += 1
        at = skip_white(skip_to(at + 1, ENDS_ATTRIBUTE))  # a name's first sign may be any
        if at[0] != c"=":
            continue
        at = skip_white(at + 1)
        if at[0] == c'"' or at[0] == c"'":
            at = <Bytes> memchr(at + 1, at[0], end - at - 1)
            if at == NULL:
                return NULL
            at += 1
        else:
            at = skip_to(at, ENDS_VALUE)


cdef Bytes end_of_raw(Bytes at, Bytes end, Known* known) noexcept nogil:
    """The "</" that ends an element without mark-up inside; NULL for none, and for scripts that speak of scripts."""
    cdef Bytes start = at
    while True:
        at = find(at, end, b"</", 2)
        if at == NULL or at + 2 + known.length >= end:
            return NULL
        if is_same(at + 2, end, known.text, known.length):
            if is_space(at[2 + known.length]) or at[2 + known.length] == c"/" or at[2 + known.length] == c">":
                break
        at += 2
    if known.name == SCRIPT and find(start, at, b"<!--", 4) != NULL and find(start, at, b"<script", 7) != NULL:
        return NULL
    return at


cdef Bytes end_of_declaration(Bytes at, Bytes end) noexcept nogil:
    """Behind a comment, document type or conditional that begins at `at`; NULL for what is none of these."""
    cdef Bytes start = at
    cdef Py_ssize_t quotes = 0
    if is_same(at, end, b"<!--", 4):
        at += 4
        if is_same(at, end, b">", 1) or is_same(at, end, b"->", 2):
            return NULL
        at = find(at, end, b"-->", 3)
        return NULL if at == NULL or find(start, at, b"--!>", 4) != NULL else at + 3
    if not is_same(at, end, b"<!doctype", 9) and not is_same(at, end, b"<![if", 5) and not is_same(at, end, b"<![endif", 8):
        return NULL
    at += 1
    while at < end and at[0] != c">":
        if at[0] == c"<" or at[0] == c"'":
            return NULL
        quotes += at[0] == c'"'
        at += 1
    return NULL if at == end or quotes & 1 else at + 1


cdef bint may_be_read(Bytes at, Bytes end) noexcept nogil:
    """Whether a script's start tag may say that it is JSON-LD."""
    cdef bint is_json = False, is_linked = False
    while at < end:
        is_json = is_json or is_same(at, end, b"json", 4)
        is_linked = is_linked or at[0] == c"&" or is_same(at, end, b"ld", 2)
        at += 1
    return is_json and is_linked


cdef enum:
    MAX_PIECES = 1000

cdef struct Pieces:  # what is kept of a page
    int count
    Bytes starts[MAX_PIECES + 1]
    Bytes ends[MAX_PIECES + 1]


def without_scripts(bytes html not None):
    """`cuts.without_scripts`."""
    cdef Bytes at = html
    cdef Bytes end = at + len(html)
    cdef Bytes kept = at  # up to here bytes were copied or cut
    cdef Bytes tag
    cdef Bytes name_end
    cdef Bytes rest
    cdef Known* name
    cdef Pieces pieces
    cdef int foreign = 0
    cdef bint in_select = False, closes
    pieces.count = 0
    while True:
        at = <Bytes> memchr(at, c"<", end - at)
        if at == NULL or at + 2 >= end:
            break
        tag = at
        if at[1] == c"/":
            if not is_letter(at[2]):
                break
            name_end = skip_to(at + 2, ENDS_NAME)
            name = name_of(at + 2, name_end)
            at = skip_white(name_end)
            if at[0] != c">":
                break
            if name != NULL and name.name == FOREIGN and foreign:
                foreign -= 1
            elif name != NULL and name.name == SELECT:
                in_select = False
            continue
        if at[1] == c"!":
            at = end_of_declaration(at, end)
            if at == NULL:
                break
            continue
        if at[1] == c"?":
            break
        if not is_letter(at[1]):
            at += 1
            continue
        name_end = skip_to(at + 1, ENDS_NAME)
        name = name_of(at + 1, name_end)
        at = end_of_tag(name_end, end, &closes, &rest)
        if at == NULL:
            break
        if rest != NULL:
            pieces.starts[pieces.count], pieces.ends[pieces.count] = kept, rest
            pieces.count += 1
            kept = at - closes
            if pieces.count == MAX_PIECES:
                break
        at += 1
        if name == NULL:
            continue
        if name.name == UNSURE:
            break
        if name.name == FOREIGN:
            foreign += not closes
            continue
        if name.name == SELECT:
            in_select = True
            continue
        name_end = at
        at = end_of_raw(at, end, name)
        if at == NULL or closes:
            break
        if foreign and (name.name != TITLE or find(name_end, at, b"<", 1) != NULL):
            break
        if in_select and name.name != SCRIPT:
            break
        if name.name == STYLE or (name.name == SCRIPT and not may_be_read(tag, name_end)):
            pieces.starts[pieces.count], pieces.ends[pieces.count] = kept, name_end
            pieces.count += 1
            kept = at
            if pieces.count == MAX_PIECES:
                break
    if not pieces.count:
        return html
    pieces.starts[pieces.count], pieces.ends[pieces.count] = kept, end
    return joined(&pieces)


cdef bytes joined(Pieces* pieces):
    cdef Py_ssize_t size = 0
    cdef int i
    cdef bytes whole
    cdef char* out
    for i in range(pieces.count + 1):
        size += pieces.ends[i] - pieces.starts[i]
    whole = PyBytes_FromStringAndSize(NULL, size)
    out = PyBytes_AS_STRING(whole)
    for i in range(pieces.count + 1):
        memcpy(out, pieces.starts[i], pieces.ends[i] - pieces.starts[i])
        out += pieces.ends[i] - pieces.starts[i]
    return whole
