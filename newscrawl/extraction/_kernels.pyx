# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The hot loops of extraction, compiled: each function gives what the one in Python that bears its name gives.

Those are the reference; newscrawl.extraction.kernels chooses between the two, tests/extraction/test_kernels.py compares
them. Nothing here decides what the reference does not: no thresholds, no words, but those it is given or imports.
"""

from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport PyUnicode_AsUTF8, PyUnicode_KIND, PyUnicode_READ, PyUnicode_DATA

from newscrawl.extraction.signs import SEPARATORS
from newscrawl.extraction.kernels import OutsideError
from newscrawl.page.run import HEADING, IGNORED_BY_BOILERPIPE, IGNORED_BY_JUSTEXT, PARAGRAPH_BEFORE, SPACE_BEFORE
from newscrawl.page.words import BLANKLESS_RANGES, LONE_SYMBOLS, count_words

cdef extern from "Python.h":
    int Py_UNICODE_ISSPACE(Py_UCS4 character) nogil
    int Py_UNICODE_ISALNUM(Py_UCS4 character) nogil
    int Py_UNICODE_ISDECIMAL(Py_UCS4 character) nogil
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
    """`tokens.boilerpipe_words` of `text`, whose characters these are. A word begins after a sign that ends words."""
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
    """`tokens.boilerpipe_words`."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    if kind == PyUnicode_1BYTE_KIND:
        return words_between(<const unsigned char*> data, text, counted)
    if kind == PyUnicode_2BYTE_KIND:
        return words_between(<const unsigned short*> data, text, counted)
    return words_between(<const unsigned int*> data, text, counted)


def all_words(texts, words):
    """`tokens.all_words`."""
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
# jusText.

def make_paragraphs(page_runs):
    """`justext.paragraphs.make_paragraphs`."""
    from newscrawl.extraction.justext.paragraphs import Paragraph as kind, _seen_text as seen_text

    cdef tuple runs = tuple(page_runs), run
    cdef int ignored = IGNORED_BY_JUSTEXT, before = PARAGRAPH_BEFORE, space = SPACE_BEFORE
    cdef int wanted = PARAGRAPH_BEFORE | SPACE_BEFORE, flags = 0, own
    cdef Py_ssize_t i, linked = 0
    cdef list found = [], parts = [], members = []
    for i in range(len(runs)):
        run = <tuple> runs[i]
        own = run[5]
        flags |= own & wanted
        if own & ignored:
            continue
        if flags & before and members:
            found.append(new_tuple(kind, joined(runs, parts, linked, members)))
            parts, members, linked = [], [], 0
        if members and flags & space:
            parts.append(" ")
        parts.append(seen_text(run) if run[9] else run[0])
        members.append(i)
        linked += <Py_ssize_t> run[3]
        flags = 0
    if members:
        found.append(new_tuple(kind, joined(runs, parts, linked, members)))
    return found


cdef tuple joined(tuple runs, list parts, Py_ssize_t linked, list members):
    """What a paragraph holds; it is a heading if its first run is."""
    return "".join(parts), linked, (<tuple> runs[members[0]])[5] & HEADING != 0, tuple(members)


cdef enum Class:
    BAD, SHORT, NEAR_GOOD, GOOD

cdef tuple CLASSES = ("bad", "short", "neargood", "good")
cdef object new_tuple = tuple.__new__


def classes_of(paragraphs, stopwords, rules):
    """`justext.classify.classes_of`."""
    cdef Py_ssize_t i, size = len(paragraphs)
    cdef unsigned char* alone = <unsigned char*> malloc(5 * size + 1)
    cdef double* lengths = <double*> malloc((size + 1) * sizeof(double))
    cdef unsigned char *classes = alone + size
    cdef unsigned char *settled = classes + size
    cdef unsigned char *other = settled + size
    cdef unsigned char *other_any = other + size
    cdef unsigned char nearest, nearest_any
    cdef double distance, furthest = rules.max_heading_distance
    try:
        if alone == NULL or lengths == NULL:
            raise MemoryError
        for i in range(size):
            alone[i] = class_alone(<tuple> paragraphs[i], stopwords, rules, &lengths[i])
        nearest = nearest_any = BAD
        for i in range(size):
            other[i], other_any[i] = nearest, nearest_any
            if alone[i] != SHORT:
                nearest_any = alone[i]
                if alone[i] != NEAR_GOOD:
                    nearest = alone[i]
        nearest = nearest_any = BAD
        for i in range(size - 1, -1, -1):
            classes[i] = alone[i]
            if alone[i] != SHORT:
                nearest_any = alone[i]
                if alone[i] != NEAR_GOOD:
                    nearest = alone[i]
            elif other[i] == nearest:
                classes[i] = nearest
            else:
                classes[i] = GOOD if (other_any[i] if other[i] == BAD else nearest_any) == NEAR_GOOD else BAD
        nearest = BAD
        for i in range(size - 1, -1, -1):
            other[i] = nearest
            if classes[i] != NEAR_GOOD:
                nearest = classes[i]
        nearest = BAD
        for i in range(size):
            settled[i] = classes[i]
            if classes[i] == NEAR_GOOD:
                settled[i] = BAD if nearest == other[i] == BAD else GOOD
            nearest = settled[i]
        distance = furthest + 1
        for i in range(size - 1, -1, -1):
            classes[i] = settled[i]
            if distance <= furthest and alone[i] != BAD and (<tuple> paragraphs[i])[2]:
                classes[i] = GOOD
            distance = 0 if settled[i] == GOOD else distance + lengths[i]
        return [CLASSES[classes[i]] for i in range(size)]
    finally:
        free(alone)
        free(lengths)


cdef int class_alone(tuple paragraph, stopwords, rules, double* length) except -1:
    """`justext.classify.classify_context_free`, and the length by the rules."""
    cdef str text = <str> paragraph[0]
    cdef Py_ssize_t size = len(text), linked = paragraph[1], hits = 0
    cdef bint is_ascii = PyUnicode_IS_ASCII(text)
    cdef double density
    cdef list pieces
    length[0] = size if is_ascii else rules.length(text)
    if linked and size and <double> linked / <double> size > <double> rules.max_link_density:
        return BAD
    if (not is_ascii and "\u00a9" in text) or "&copy" in text:
        return BAD
    if length[0] < <double> rules.length_low:
        return BAD if linked else SHORT
    pieces = text.lower().split()
    for piece in pieces:
        hits += piece in stopwords
    density = <double> hits / <double> len(pieces) if pieces else 0.0
    if density >= <double> rules.stopwords_high:
        return GOOD if length[0] > <double> rules.length_high else NEAR_GOOD
    return NEAR_GOOD if density >= <double> rules.stopwords_low else BAD


# ---------------------------------------------------------------------------------------------------------------------
# What texts say.

cdef inline int pair(const char* at) noexcept:
    """The last five bits of two bytes."""
    return (at[0] & 31) << 5 | at[1] & 31


cdef inline bint is_skipped(unsigned int character) noexcept nogil:
    """Signs that are left out before texts and titles are compared."""
    return is_space(character) or character in (c"'", c"?", c"!", c".", c"-", c":")


def first_shown(texts, titles, Py_ssize_t shortest, Py_ssize_t longest, shows):
    """`titles.first_shown`. A text whose first letter is none that a title begins with, signs left out, shows none."""
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
    """`english.holding_any`. Few places of a text have two bytes with which a part begins."""
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


# ---------------------------------------------------------------------------------------------------------------------
# Trees.

def score_trees(trees, row):
    """`confidence.trees.score_trees`."""
    cdef Py_ssize_t size = len(row), node, tested, at
    cdef double total = 0
    cdef list feature, value, left, right
    cdef double* values = <double*> PyMem_Malloc(max(size, 1) * sizeof(double))
    if values == NULL:
        raise MemoryError
    try:
        for at in range(size):
            values[at] = row[at]
        for tree in trees:
            if not isinstance(tree, tuple) or len(tree) != 4:
                raise TypeError(tree)
            feature, value = (<tuple> tree)[0], (<tuple> tree)[1]
            left, right = (<tuple> tree)[2], (<tuple> tree)[3]
            node = 0
            while True:
                if not 0 <= node < len(feature):
                    raise IndexError(node)
                tested = feature[node]
                if tested == -1:
                    break
                if not 0 <= tested < size:
                    raise IndexError(tested)
                node = left[node] if values[tested] <= <double> value[node] else right[node]
            total += <double> value[node]
    finally:
        PyMem_Free(values)
    return total


def repeated_boxes(parent, tag, contents, words, tuple wanted not None, Py_ssize_t least):
    """`article.page_kinds.boxes.repeated_boxes`."""
    cdef Py_ssize_t size = len(parent), boxes = len(wanted), element, above, box, at, found = 0
    cdef long* columns = NULL
    cdef long* totals = NULL  # for each group of equal elements and each kind of box: their number and words
    cdef list numbers = [0] * boxes, most_words = [0] * boxes
    if not size == len(tag) == len(contents) == len(words):
        raise ValueError("the columns have different lengths")
    columns = <long*> PyMem_Malloc((8 * size + boxes + 2) * sizeof(long))
    if columns == NULL:
        raise MemoryError
    cdef long* above_of = columns
    cdef long* inside = columns + size
    cdef long* own = columns + 2 * size
    cdef long* group = columns + 3 * size
    cdef long* tags = columns + 4 * size
    cdef long* tag_of = columns + 5 * size  # of each group
    cdef long* other = columns + 6 * size  # the group of the same parent that was found before
    cdef long* last = columns + 7 * size  # of each parent and at the end of no parent: the group that was found last
    cdef long* needed = last + size + 1
    try:
        for element in range(size):
            above_of[element], inside[element], own[element] = parent[element], contents[element], words[element]
            tags[element], last[element] = tag[element], -1
            if not -1 <= above_of[element] < size:
                raise IndexError(above_of[element])
        last[size] = -1
        for box in range(boxes):
            needed[box] = wanted[box]
        for element in range(size - 1, 0, -1):
            above = above_of[element]
            if above >= 0:
                inside[above] |= inside[element]
                own[above] += own[element]
        for element in range(size):
            group[element] = -1
            if own[element] and inside[element]:
                above = above_of[element] if above_of[element] >= 0 else size
                at = last[above]
                while at >= 0 and tag_of[at] != tags[element]:
                    at = other[at]
                if at < 0:
                    at = found
                    tag_of[at], other[at], last[above] = tags[element], last[above], at
                    found += 1
                group[element] = at
        totals = <long*> calloc(max(2 * boxes * found, 1), sizeof(long))
        if totals == NULL:
            raise MemoryError
        for element in range(size):
            if group[element] >= 0:
                for box in range(boxes):
                    if inside[element] & needed[box] == needed[box]:
                        at = 2 * (group[element] * boxes + box)
                        totals[at] += 1
                        totals[at + 1] += own[element]
        for at in range(0, 2 * boxes * found, 2):
            if totals[at] >= least:
                box = at // 2 % boxes
                numbers[box] = max(<long> numbers[box], totals[at])
                most_words[box] = max(<long> most_words[box], totals[at + 1])
    finally:
        free(totals)
        PyMem_Free(columns)
    return numbers, most_words


def equal_places(parent, tag, tuple roles not None, tuple compared not None, Py_ssize_t steps):
    """`article.page_kinds.places.equal_places`."""
    cdef Py_ssize_t size = len(parent), element, above, step, up
    cdef long long path  # 12 bits for each tag
    cdef Py_ssize_t groups = len(compared), most, group
    cdef long* above_of = NULL
    cdef long* tags = NULL
    cdef long* numbers = NULL  # for each group and element, at the end no element: those that it holds
    cdef list paths = [{} for _ in compared], found = []
    cdef dict places
    if size != len(tag) or steps > 5:
        raise ValueError("columns of different lengths, or long paths")
    above_of = <long*> PyMem_Malloc((2 * size + 1) * sizeof(long))
    numbers = <long*> calloc((groups + 1) * (size + 1), sizeof(long))
    try:
        if above_of == NULL or numbers == NULL:
            raise MemoryError
        tags = above_of + size
        for element in range(size):
            above_of[element], tags[element] = parent[element], tag[element]
            if not (-1 <= above_of[element] < size and 0 <= tags[element] < min(len(roles), 4095)):
                raise IndexError(element)
        for element in range(size):
            group = <Py_ssize_t> roles[tags[element]] - 1
            if not 0 <= group < groups:
                continue
            up, above, path = compared[group], element, 0
            if up:
                for step in range(up):
                    if above >= 0:
                        above = above_of[above]
                numbers[group * (size + 1) + (above if above >= 0 else size)] += 1
            else:
                for step in range(steps):
                    if above >= 0:
                        path, above = path << 12 | tags[above] + 1, above_of[above]
                places = paths[group]
                places[path] = <Py_ssize_t> places.get(path, 0) + 1
        for group in range(groups):
            most = max((<dict> paths[group]).values(), default=0)
            for element in range(size + 1):
                most = max(most, numbers[group * (size + 1) + element])
            found.append(most)
    finally:
        PyMem_Free(above_of)
        free(numbers)
    return found


def runs_with_digit(texts, words, Py_ssize_t most):
    """`article.page_kinds.columns.runs_with_digit`."""
    cdef Py_ssize_t run = 0, at, length
    cdef unsigned int character
    cdef int kind
    cdef const void* data
    cdef list found = []
    for text, number in zip(texts, words, strict=True):
        if <Py_ssize_t> number <= most:
            length, kind, data = len(<str> text), PyUnicode_KIND(text), PyUnicode_DATA(text)
            for at in range(length):
                character = PyUnicode_READ(kind, data, at)
                if 48 <= character <= 57 or character >= 128 and Py_UNICODE_ISDECIMAL(<Py_UCS4> character):
                    found.append(run)
                    break
        run += 1
    return found


cdef inline bint is_among(str characters, Py_UCS4 character):
    cdef Py_ssize_t at
    cdef int kind = PyUnicode_KIND(characters)
    cdef const void* data = PyUnicode_DATA(characters)
    for at in range(len(characters)):
        if <Py_UCS4> PyUnicode_READ(kind, data, at) == character:
            return True
    return False


def count_runs(texts, words, linked, elements, flags, tag, kept, limits, kinds):
    """`article.page_kinds.counts.count_runs`."""
    cdef Py_ssize_t size = len(words), elements_of_page = len(tag), run, length, w, l, f, t, at
    cdef Py_ssize_t prose, block_words, label, menu, headline, question, least_section, short_section, card, most_card
    cdef Py_ssize_t heading, top_heading, list_item, h1, p
    cdef str ends, marks, text
    cdef Py_UCS4 end
    cdef bint ended, asked, below = False
    cdef Py_ssize_t first = kept[0] if kept else 0, last = kept[len(kept) - 1] if kept else -1
    cdef Py_ssize_t all_words = 0, all_linked = 0, prose_words = 0, prose_runs = 0, listed = 0, all_ends = 0, asks = 0
    cdef Py_ssize_t sentences = 0, headings = 0, linked_headings = 0, titles = 0, headlines = 0, question_headings = 0
    cdef Py_ssize_t tops = 0, top = -1, distance = -1, inside = 0, long_runs = 0, long_words = 0
    cdef Py_ssize_t section = 0, sections = 0, section_words = 0, longest_section = 0, short_words = 0, cards = 0
    cdef Py_ssize_t text_words = 0, text_linked = 0, text_listed = 0, text_ends = 0
    cdef Py_ssize_t span_words = 0, span_linked = 0, span_headings = 0, labels = 0, block = 0, longest_block = 0
    cdef Py_ssize_t part = 0, longest_part = 0, part_words = 0
    prose, block_words, label, menu, headline, question, least_section, short_section, card, most_card = limits
    heading, top_heading, list_item, h1, p, ends, marks = kinds
    if not size == len(texts) == len(linked) == len(elements) == len(flags):
        raise ValueError("the columns have different lengths")
    for run in range(size):
        w, l, f, text = words[run], linked[run], flags[run], texts[run]
        at = elements[run]
        if not 0 <= at < elements_of_page:
            raise IndexError(at)
        t = tag[at]
        length = len(text)
        end = <Py_UCS4> PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), length - 1) if length else 0
        ended, asked = length and is_among(ends, end), length and is_among(marks, end)
        all_words += w
        all_linked += l
        if w >= prose and l * 3 < w:
            prose_words += w
            prose_runs += 1
        if f & list_item:
            listed += w
        all_ends += ended
        if asked:
            asks += 1
            sentences += w >= question
            question_headings += f & heading != 0
        headings += f & top_heading != 0
        if w and w == l:
            headlines += w >= headline
            if f & top_heading:
                linked_headings += 1
                titles += w > menu
        if f & heading and t == h1:
            tops += 1
            if top < 0:
                top = run
            if last >= 0 and (distance < 0 or abs(first - run) < distance):
                distance = abs(first - run)
        if t == p:
            inside += w
            if w >= prose:
                long_runs += 1
                if l * 3 < w:
                    long_words += w
        if f & heading:
            if section >= least_section:
                sections += 1
                section_words += section
                longest_section = max(longest_section, section)
                if section <= short_section:
                    short_words += section
            section = 0
        elif w != l:
            section += w
            if below and card <= w <= most_card:
                cards += 1
        below = f & heading != 0
        if first <= run <= last:
            span_words += w
            span_linked += l
            if f & heading:
                span_headings += 1
                longest_part = max(longest_part, part)
                part = 0
            else:
                part += w
                part_words += w
            labels += w <= label
            if w >= block_words and l * 2 < w:
                block += w
                longest_block = max(longest_block, block)
            elif f & top_heading:
                block = 0
    if section >= least_section:
        sections += 1
        section_words += section
        longest_section = max(longest_section, section)
        if section <= short_section:
            short_words += section
    longest_part = max(longest_part, part)
    for number in kept:
        run = number
        if not 0 <= run < size:
            raise IndexError(run)
        text_words += <Py_ssize_t> words[run]
        text_linked += <Py_ssize_t> linked[run]
        if <Py_ssize_t> flags[run] & list_item:
            text_listed += <Py_ssize_t> words[run]
        text = texts[run]
        length = len(text)
        text_ends += length and is_among(ends, PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), length - 1))
    return [
        all_words, all_linked, prose_words, prose_runs, listed, all_ends, asks, sentences, headings, linked_headings,
        titles, headlines, question_headings, tops, top, distance, inside, long_runs, long_words,
        sections, section_words, longest_section, short_words, cards,
        text_words, text_linked, text_listed, text_ends,
        span_words, span_linked, span_headings, labels, longest_block, longest_part, part_words,
    ]


def own_contents(tag, tuple of_tag not None, words, linked, elements, long mark, Py_ssize_t least):
    """`article.page_kinds.boxes.own_contents`."""
    cdef list contents = [], own = [0] * len(tag)
    cdef Py_ssize_t run, element, number, size = len(tag), tags = len(of_tag)
    if not len(words) == len(linked) == len(elements):
        raise ValueError("the columns have different lengths")
    for one in tag:
        element = one
        if not 0 <= element < tags:
            raise IndexError(element)
        contents.append(of_tag[element])
    for run in range(len(words)):
        element, number = elements[run], words[run]
        if not 0 <= element < size:
            raise IndexError(element)
        own[element] = <Py_ssize_t> own[element] + number
        if number >= least and <Py_ssize_t> linked[run] * 3 < number:
            contents[element] = <long> contents[element] | mark
    return contents, own


def columns_of(runs):
    """`article.page_kinds.columns.columns_of`."""
    cdef list texts = [], words = [], linked = [], elements = [], flags = []
    for run in runs:
        texts.append((<tuple> run)[0])
        words.append((<tuple> run)[1])
        linked.append((<tuple> run)[2])
        elements.append((<tuple> run)[4])
        flags.append((<tuple> run)[5])
    return texts, words, linked, elements, flags


def addresses(read, list tag not None, Py_ssize_t anchor):
    """`article.page_kinds.layout.addresses`."""
    cdef Py_ssize_t element
    cdef tuple wanted = ("href",)
    cdef list found = []
    for element in range(len(tag)):
        if <Py_ssize_t> tag[element] == anchor:
            values = read(element, wanted)
            if values is not None:
                href = values[0]
                if href:
                    href = (<str> href).strip()
                    if href:
                        found.append(href)
    return found
