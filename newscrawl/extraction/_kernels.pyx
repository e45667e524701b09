# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The hot loops of extraction, compiled: each function gives what the one in Python that bears its name gives.

Those are the reference; newscrawl.compiled chooses between the two, tests/kernels compares them. Nothing here decides what the
reference does not: no thresholds, no words, but those it is given or imports.
"""

from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport PyUnicode_AsUTF8, PyUnicode_KIND, PyUnicode_READ, PyUnicode_DATA

from newscrawl.compiled import OutsideError
from newscrawl.page.run import IGNORED_BY_BOILERPIPE
from newscrawl.page.words import BLANKLESS_RANGES, LONE_SYMBOLS, SEPARATORS, count_words

cdef extern from "Python.h":
    int Py_UNICODE_ISSPACE(Py_UCS4 character) nogil
    int Py_UNICODE_ISALNUM(Py_UCS4 character) nogil
    bint PyUnicode_IS_ASCII(object text)
    object PyUnicode_FromKindAndData(int kind, const void* buffer, Py_ssize_t size)
    enum: PyUnicode_1BYTE_KIND
    enum: PyUnicode_2BYTE_KIND
    enum: PyUnicode_4BYTE_KIND

cdef extern from *:
    """
    #ifndef NEWSCRAWL_SOURCES
    #define NEWSCRAWL_SOURCES ""
    #endif
    """
    const char* NEWSCRAWL_SOURCES

SOURCES = NEWSCRAWL_SOURCES.decode()
"""What this was built from (newscrawl.compiled)."""

# ---------------------------------------------------------------------------------------------------------------------
# Characters.

cdef enum:
    SPACE = 1
    ALNUM = 2
    ENDS = 1  # a separator or white space
    IS_SIGN = 2  # neither that nor a letter or digit
    BLANKLESS = 4
    RANGES = 32
    PARTS = 16  # the most that are searched together
    NAME_PARTS = 120
    FOLDED = 0x2070  # characters up to the end of General Punctuation

cdef unsigned char kinds[128]
cdef unsigned char lower[128]
cdef unsigned short folded[FOLDED]  # 0 where that is more than one character
cdef unsigned char separating[FOLDED]
cdef unsigned char roles[FOLDED]  # in words
cdef unsigned int separator_first[RANGES]  # of those after the table
cdef unsigned int separator_last[RANGES]
cdef int separators = 0
cdef unsigned int blankless_first[RANGES]
cdef unsigned int blankless_last[RANGES]
cdef int blankless = 0
cdef Py_ssize_t longest_symbol = max(map(len, LONE_SYMBOLS))
cdef object lone_symbols = LONE_SYMBOLS


cdef int fill_tables() except -1:
    global separators, blankless
    cdef int i
    for i in range(128):
        character = chr(i)
        kinds[i] = SPACE * character.isspace() | ALNUM * character.isalnum()
        lower[i] = ord(character.lower())
    for i in range(FOLDED):
        character = chr(i).casefold()
        folded[i] = ord(character) if len(character) == 1 else 0
    for first, last in SEPARATORS:
        for i in range(ord(first), min(ord(last) + 1, FOLDED)):
            separating[i] = True
        if ord(last) >= FOLDED:
            separator_first[separators], separator_last[separators] = max(FOLDED, ord(first)), ord(last)
            separators += 1
    for first, last in BLANKLESS_RANGES:
        blankless_first[blankless], blankless_last[blankless] = ord(first), ord(last)
        blankless += 1
    for i in range(FOLDED):
        roles[i] = compute_role(i)
    if any([any(map(str.isalnum, symbol)) for symbol in LONE_SYMBOLS]):
        raise ValueError("a lone symbol with a letter")
    return 0


fill_tables()


cdef inline bint is_separator(unsigned int character) noexcept nogil:
    cdef int i
    if character < FOLDED:
        return separating[character]
    for i in range(separators):
        if character <= separator_last[i]:
            return character >= separator_first[i]
    return False


cdef inline bint is_blankless(unsigned int character) noexcept nogil:
    cdef int i
    for i in range(blankless):
        if character <= blankless_last[i]:
            return character >= blankless_first[i]
    return False


cdef inline unsigned int role_of(unsigned int character) noexcept nogil:
    return roles[character] if character < FOLDED else compute_role(character)


cdef unsigned int compute_role(unsigned int character) noexcept nogil:
    if is_separator(character) or is_space(character):
        return ENDS
    if is_blankless(character):
        return BLANKLESS
    return 0 if is_alnum(character) else IS_SIGN


cdef inline bint is_space(unsigned int character) noexcept nogil:
    return kinds[character] & SPACE != 0 if character < 128 else Py_UNICODE_ISSPACE(<Py_UCS4> character) != 0


cdef inline bint is_alnum(unsigned int character) noexcept nogil:
    return kinds[character] & ALNUM != 0 if character < 128 else Py_UNICODE_ISALNUM(<Py_UCS4> character) != 0


# ---------------------------------------------------------------------------------------------------------------------
# Texts.

def casefold(str text not None):
    """`str.casefold`, quicker for text in alphabets: it looks each character up in the Unicode database."""
    cdef Py_ssize_t i, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef unsigned int character
    cdef unsigned short* buffer
    if PyUnicode_IS_ASCII(text):
        return text.lower()
    buffer = <unsigned short*> malloc(length * sizeof(unsigned short))
    if buffer == NULL:
        raise MemoryError
    try:
        for i in range(length):
            character = PyUnicode_READ(kind, data, i)
            if character >= FOLDED or not folded[character]:
                return text.casefold()
            buffer[i] = folded[character]
        return PyUnicode_FromKindAndData(PyUnicode_2BYTE_KIND, buffer, length)
    finally:
        free(buffer)


def fold(str text not None):
    """`cues.fold`."""
    cdef Py_ssize_t i, length = len(text), used = 0
    cdef unsigned char* data
    cdef unsigned char* narrow
    cdef unsigned int* wide
    cdef int kind
    cdef void* source
    cdef unsigned int character
    cdef bint pending = False
    if PyUnicode_IS_ASCII(text):
        data = <unsigned char*> PyUnicode_DATA(text)
        narrow = <unsigned char*> malloc(length + 1)
        if narrow == NULL:
            raise MemoryError
        for i in range(length):
            if kinds[data[i]] & ALNUM:
                if pending and used:
                    narrow[used] = 32
                    used += 1
                pending = False
                narrow[used] = lower[data[i]]
                used += 1
            else:
                pending = True
        try:
            return PyUnicode_FromKindAndData(PyUnicode_1BYTE_KIND, narrow, used)
        finally:
            free(narrow)
    text = casefold(text)
    length, kind, source = len(text), PyUnicode_KIND(text), PyUnicode_DATA(text)
    wide = <unsigned int*> malloc((length + 1) * sizeof(unsigned int))
    if wide == NULL:
        raise MemoryError
    for i in range(length):
        character = PyUnicode_READ(kind, source, i)
        if is_alnum(character):
            if pending and used:
                wide[used] = 32
                used += 1
            pending = False
            wide[used] = character
            used += 1
        else:
            pending = True
    try:
        return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, wide, used)
    finally:
        free(wide)


def first_word(str text not None, Py_ssize_t most):
    """`cues.first_word`."""
    cdef Py_ssize_t i, used = 0, length = min(len(text), most)
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef unsigned int character
    cdef unsigned char word[128]
    for i in range(length):
        character = PyUnicode_READ(kind, data, i)
        if character >= 128 or used == 128:
            return fold(text[:most]).partition(" ")[0]
        if kinds[character] & ALNUM:
            word[used] = lower[character]
            used += 1
        elif used:
            break
    return PyUnicode_FromKindAndData(PyUnicode_1BYTE_KIND, word, used)


ctypedef fused Character:
    unsigned char
    unsigned short
    unsigned int


cdef bint has_separator(const Character* text, Py_ssize_t length) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(length):
        if is_separator(text[i]):
            return True
    return False


cdef Py_ssize_t words_between(const Character* characters, str text, Py_ssize_t counted) except -1:
    """`blocks.boilerpipe_words` of `text`, whose characters these are. A word begins after a sign that ends words."""
    cdef Py_ssize_t i, end, words = 0, length = len(text)
    cdef unsigned int role, before = ENDS, begins
    if not has_separator(characters, length):
        return counted
    for i in range(length):
        role = role_of(characters[i])
        if role & BLANKLESS:
            return count_words("".join([" " if is_separator(ord(c)) else c for c in text]))
        begins = before & ~role & ENDS
        words += begins
        if begins & role >> 1:  # a sign, which is no word if it is alone
            end = i + 1
            while end < length and not role_of(characters[end]) & ENDS:
                end += 1
            words -= end - i <= longest_symbol and text[i:end] in lone_symbols
        before = role & ENDS
    return words


cdef Py_ssize_t words_of(str text, Py_ssize_t counted) except -1:
    """`blocks.boilerpipe_words`."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    if kind == PyUnicode_1BYTE_KIND:
        return words_between(<const unsigned char*> data, text, counted)
    if kind == PyUnicode_2BYTE_KIND:
        return words_between(<const unsigned short*> data, text, counted)
    return words_between(<const unsigned int*> data, text, counted)


def all_words(texts, words):
    """`blocks.all_words`."""
    return [words_of(text, count) for text, count in zip(texts, words, strict=True)]


def take_columns(page_runs, spacers, int spacer):
    """`columns.take_columns`."""
    cdef tuple runs = tuple(page_runs)
    cdef Py_ssize_t i, count, counted, linked, size = len(runs), waiting = 0, spaced = len(spacers)
    cdef int ignored = IGNORED_BY_BOILERPIPE
    cdef tuple run
    cdef list indices = [], texts = [], words = [], linked_words = [], levels = [], flags = [], density = []
    for i in range(size):
        run = <tuple> runs[i]
        while waiting < spaced and <Py_ssize_t> spacers[waiting][0] <= i:
            indices.append(spacer)
            texts.append("")
            words.append(0)
            linked_words.append(0)
            levels.append(spacers[waiting][1])
            flags.append(0)
            density.append(0.0)
            waiting += 1
        if <int> run[5] & ignored:
            continue
        counted, linked = run[1], run[2]
        count = words_of(<str> run[0], counted)
        if linked:
            linked = count if linked == counted else min(linked, count)
        indices.append(i)
        texts.append(run[0])
        words.append(count)
        linked_words.append(linked)
        levels.append(run[6])
        flags.append(run[5])
        density.append(<double> linked / <double> count if linked and count else 0.0)
    return indices, texts, words, linked_words, levels, flags, density


def classes_by_words(list words not None, list density not None, bounds):
    """`columns.classes_by_words`."""
    cdef double linked = bounds[0], linked_before = bounds[1], here, before = 0.0
    cdef Py_ssize_t own = bounds[2], after = bounds[3], previous = bounds[4]
    cdef Py_ssize_t own_after_links = bounds[5], next_after_links = bounds[6]
    cdef Py_ssize_t i, size = min(len(words), len(density)), last = 0, following
    cdef Py_ssize_t count = <Py_ssize_t> words[0] if size else 0
    cdef list classes = []
    cdef bint content
    for i in range(size):
        here, following = density[i], <Py_ssize_t> words[i + 1] if i + 1 < len(words) else 0
        if here > linked:
            content = False
        elif before > linked_before:
            content = count > own_after_links or following > next_after_links
        else:
            content = count > own or following > after or last > previous
        classes.append(content)
        before, last, count = here, count, following
    return classes


def stretches(list content not None, title):
    """`columns.stretches`."""
    cdef Py_ssize_t start = 0, end, size = len(content), alone = -1 if title is None else title
    cdef list found = []
    while start < size:
        end = start + 1
        while end < size and content[end]:
            end += 1
        if end > start + 1 or start == alone or content[start]:
            found.append((start, end))
        start = end
    return found


# ---------------------------------------------------------------------------------------------------------------------
# What texts say.

cdef inline int pair(const char* at) noexcept:
    """The last five bits of two bytes."""
    return (at[0] & 31) << 5 | at[1] & 31


cdef inline bint is_skipped(unsigned int character) noexcept nogil:
    """Signs that are left out before texts and titles are compared."""
    return is_space(character) or character in (c"'", c"?", c"!", c".", c"-", c":")


def first_shown(texts, titles, Py_ssize_t shortest, Py_ssize_t longest, shows):
    """`boilerpipe.filters.first_shown`. A text whose first letter is none that a title begins with, signs left out, shows none."""
    cdef bint first[128]
    cdef bint any_other = False
    cdef Py_ssize_t i, index, length
    cdef int kind
    cdef void* data
    cdef unsigned int character = 0
    for i in range(128):
        first[i] = False
    for title in titles:
        for letter in <str> title:
            character = letter
            if not is_skipped(character):
                break
        else:
            any_other = True  # nothing but signs
            continue
        if character < 128:
            first[character] = True
    for index, text in enumerate(texts):
        length = len(<str> text)
        if length > longest or (length < shortest and "\u0130" not in <str> text):
            continue
        kind, data = PyUnicode_KIND(text), PyUnicode_DATA(text)
        for i in range(length):
            character = PyUnicode_READ(kind, data, i)
            if not is_skipped(character):
                break
        else:
            character = 128
        if (character >= 128 or first[lower[character]] or any_other) and shows(text, titles):
            return index
    return None


def holding_any(texts, words, int limit, tuple parts):
    """`boilerpipe.filters.holding_any`. Few places of a text have two bytes with which a part begins."""
    cdef Py_ssize_t i, j, k, place, size = len(texts), length, count = len(parts)
    cdef list found = [], encoded = [sought_part.encode() for sought_part in parts]
    cdef unsigned char begins[1024]
    cdef const unsigned char* data
    cdef const unsigned char* sought[PARTS]
    cdef Py_ssize_t sought_length[PARTS]
    cdef object text, kept
    cdef bint hit
    if count > PARTS or not all([len(part) > 1 for part in encoded]):
        raise ValueError(parts)
    memset(begins, False, 1024)
    for i in range(count):
        sought[i], sought_length[i] = <const unsigned char*> <bytes> encoded[i], len(<bytes> encoded[i])
        begins[pair(<const char*> sought[i])] = True
    for i in range(size):
        if <Py_ssize_t> words[i] >= limit:
            continue
        text = texts[i]
        if PyUnicode_IS_ASCII(text):
            data, length = <const unsigned char*> PyUnicode_DATA(text), len(text)
        else:
            kept = (<str> text).encode("utf-8", "replace")
            data, length = <const unsigned char*> <bytes> kept, len(<bytes> kept)
        hit = False
        for place in range(length - 1):
            if not begins[pair(<const char*> data + place)]:
                continue
            for k in range(count):
                if sought_length[k] > length - place:
                    continue
                for j in range(sought_length[k]):
                    if (lower[data[place + j]] if data[place + j] < 128 else data[place + j]) != sought[k][j]:
                        break
                else:
                    hit = True
                    break
            if hit:
                break
        if hit:
            found.append(i)
    return found


# ---------------------------------------------------------------------------------------------------------------------
# Elements.

cdef class inside_test:
    """`element_predicates.inside_test`."""

    cdef list parent
    cdef object marked
    cdef unsigned char* known  # 0 for not known, 1 for no, 2 for yes
    cdef Py_ssize_t size

    def __cinit__(self, list parent not None, marked, top):
        self.parent, self.marked, self.size = parent, marked, len(parent)
        self.known = <unsigned char*> calloc(self.size + 1, 1)
        if self.known == NULL:
            raise MemoryError
        cdef Py_ssize_t element
        for element in top:
            if 0 <= element < self.size:
                self.known[element] = 1

    def __dealloc__(self):
        free(self.known)

    def __call__(self, Py_ssize_t element):
        cdef Py_ssize_t at = element
        cdef unsigned char answer = 1
        if at >= self.size:
            raise IndexError(element)
        while at >= 0:
            if self.known[at]:
                answer = self.known[at]
                break
            if self.marked(at):
                answer = 2
                break
            at = <Py_ssize_t> self.parent[at]
        if at >= 0:
            self.known[at] = answer
        while element != at:
            self.known[element] = answer
            element = <Py_ssize_t> self.parent[element]
        return answer == 2


cdef class name_search:
    """`element_predicates.name_search`: the expression is searched where a text has one of the parts, or is not
    ASCII."""

    cdef object search
    cdef list parts  # those with the same pair at their beginning are neighbours
    cdef const char* texts[NAME_PARTS]
    cdef Py_ssize_t count
    cdef unsigned char first[1024]  # by pair: the number of the first part that begins with it, or `NAME_PARTS`

    def __cinit__(self, expression, parts):
        cdef Py_ssize_t i
        self.search, self.count = expression.search, len(parts)
        if self.count > NAME_PARTS or not all([len(part) > 1 and part.isascii() for part in parts]):
            raise ValueError(parts)
        self.parts = sorted(parts, key=lambda part: (ord(part[0]) & 31, ord(part[1]) & 31))
        memset(self.first, NAME_PARTS, 1024)
        for i in range(self.count - 1, -1, -1):
            self.texts[i] = PyUnicode_AsUTF8(self.parts[i])
            self.first[pair(self.texts[i])] = <unsigned char> i

    def __call__(self, str text not None):
        return self.search(text) if self.may_match(text) else None

    cdef bint may_match(self, str text) except -1:
        """Whether the text, in lower case, may match."""
        return not PyUnicode_IS_ASCII(text) or self.has_part(<const char*> PyUnicode_DATA(text), len(text))

    cdef bint has_part(self, const char* at, Py_ssize_t size) noexcept:
        cdef Py_ssize_t i, length
        cdef const char* end = at + size  # of a text there is a zero
        while at < end:
            for i in range(self.first[pair(at)], self.count):
                length = 0
                while self.texts[i][length] and self.texts[i][length] == lower[at[length]]:
                    length += 1
                if not self.texts[i][length]:
                    return True
                if pair(self.texts[i]) != pair(at):
                    break
            at += 1
        return False


cdef class name_test:
    """`element_predicates.name_test`."""

    cdef list tag
    cdef object values_of, search, tags, never, among
    cdef name_search parts  # None if the expression is searched in Python
    cdef tuple keys
    cdef dict judged
    cdef unsigned char* known  # 0 for not known, 1 for no, 2 for yes
    cdef Py_ssize_t size

    def __cinit__(self, list tag not None, values_of, names, tags, never, tuple keys, among=None):
        self.tag, self.values_of, self.search, self.keys = tag, values_of, names.search, keys
        self.parts = self.search if isinstance(self.search, name_search) else None
        self.tags, self.never, self.judged, self.among, self.size = tags, never, {}, among, len(tag)
        self.known = <unsigned char*> calloc(self.size + 1, 1)
        if self.known == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.known)

    def __call__(self, Py_ssize_t element):
        if not 0 <= element < self.size:
            raise IndexError(element)
        if not self.known[element]:
            self.known[element] = 2 if (self.among is None or self.among(element)) and self.judge(element) else 1
        return self.known[element] == 2

    cdef bint judge(self, Py_ssize_t element) except -1:
        number = self.tag[element]
        if number in self.tags:
            return True
        if number in self.never:
            return False
        values = self.values_of(element, self.keys)
        if values is None or not self.may_match(<tuple> values):
            return False
        answer = self.judged.get(values)
        if answer is None:
            text = " ".join([value for value in <tuple> values if value is not None]).lower()
            answer = self.judged[values] = self.search(text) is not None
        return answer

    cdef bint may_match(self, tuple values) except -1:
        """Whether any of the values has a part of the names. Most have none, and need not be joined."""
        if self.parts is None:
            return True
        for value in values:
            if value is not None and self.parts.may_match(<str> value):
                return True
        return False


def paragraphs(elements, runs, selected, numbers):
    """`treefilter.paragraphs`."""
    cdef tuple page_runs = tuple(runs)
    cdef list parent = elements.parent, tag = elements.tag
    cdef Py_ssize_t size = len(parent), element, at, below, nearest, i
    cdef int* named
    cdef int* child
    cdef unsigned char* above
    cdef unsigned char wanted[1024]
    cdef dict paragraph_of = {}
    for i in range(1024):
        wanted[i] = False
    for i in numbers:
        wanted[i] = True
    if any([<Py_ssize_t> (<tuple> run)[4] < 0 for run in page_runs]):
        raise OutsideError("a run outside of all elements")
    named = <int*> PyMem_Malloc((2 * size + 1) * sizeof(int) + size)
    if named == NULL:
        raise MemoryError
    child, above = named + size, <unsigned char*> (named + 2 * size)
    for i in range(size):
        named[i] = -1
        above[i] = False
    try:
        for run in page_runs:
            element = (<tuple> run)[4]
            at = element
            while named[at] < 0:
                if wanted[<int> tag[at]] or <int> parent[at] < 0:
                    named[at] = child[at] = <int> at
                    break
                at = <int> parent[at]
            # The way down again: where it came up to, each passed element has the same nearest one.
            nearest, below = named[at], child[at]
            if element == at:
                pass
            else:
                mark_path(parent, named, child, element, at, nearest, below)
            at = <int> parent[nearest]
            while at >= 0 and not above[at]:
                above[at] = True
                at = <int> parent[at]
        for i in selected:
            element = (<tuple> page_runs[i])[4]
            paragraph_of[i] = child[element] if above[named[element]] else named[element]
        return paragraph_of
    finally:
        PyMem_Free(named)


cdef int mark_path(list parent, int* named, int* child, Py_ssize_t element, Py_ssize_t at, Py_ssize_t nearest,
                   Py_ssize_t below) except -1:
    """Give all from `element` up to below `at` their nearest, and the child of it that is on their way."""
    cdef Py_ssize_t top = element
    if below == nearest:
        while <int> parent[top] != at:
            top = <int> parent[top]
        below = top
    while element != at:
        named[element] = <int> nearest
        child[element] = <int> below
        element = <int> parent[element]
    return 0
