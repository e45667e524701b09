# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The hot loops of extraction/learned, compiled: each function gives what the one in Python that bears its name gives.

Those are the reference; newscrawl.extraction.kernels chooses between the two, tests/extraction/test_kernels.py compares
them. Columns go in and out as bytes, so that nothing here has to be compiled for a version of numpy.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ

from newscrawl.extraction.learned.kinds import (
    BLANKLESS,
    CLOSER,
    COMMA,
    DIGIT,
    END,
    FULL_END,
    FUNCTION,
    GAP,
    HAN_EXTENSIONS,
    QUOTE,
    SIGN,
    UPPER,
)
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.words import BLANKLESS_RANGES

cdef extern from "Python.h":
    int Py_UNICODE_ISALNUM(Py_UCS4 character) nogil

cdef extern from *:
    """
    #ifndef NEWSCRAWL_SOURCES
    #define NEWSCRAWL_SOURCES ""
    #endif
    """
    const char* NEWSCRAWL_SOURCES

SOURCES = NEWSCRAWL_SOURCES.decode()
"""What this was built from (newscrawl.compiled)."""

cdef enum:
    RANGES = 32
    BASIC = 0x10000
    COUNTS = 9
    BLOCK = 16  # runs that go through the trees together: a processor's registers hold their masks
    LEAVES = 32

cdef tuple NO_NAMES = (0, ())
cdef uint16_t upper = UPPER, gap = GAP, end = END, full_end = FULL_END, after_end = GAP | CLOSER
cdef uint16_t counted[6]
counted[0], counted[1], counted[2] = DIGIT, COMMA, QUOTE
counted[3], counted[4], counted[5] = SIGN, BLANKLESS, FUNCTION
cdef uint16_t blankless_kind = BLANKLESS
cdef uint32_t extension_first = HAN_EXTENSIONS[0], extension_end = HAN_EXTENSIONS[1]
cdef uint32_t blankless_first[RANGES]
cdef uint32_t blankless_last[RANGES]
cdef int blankless = 0
cdef unsigned char letters[128]


cdef int fill_tables() except -1:
    global blankless
    cdef int i
    for i in range(128):
        letters[i] = chr(i).isalnum() or chr(i) == "_"
    for first, last in BLANKLESS_RANGES:
        blankless_first[blankless], blankless_last[blankless] = ord(first), ord(last)
        blankless += 1
    return 0


fill_tables()


cdef inline void* grown(void* memory, size_t size) except NULL:
    cdef void* larger = realloc(memory, size)
    if larger == NULL:
        raise MemoryError
    return larger


# ---------------------------------------------------------------------------------------------------------------------
# Signs and words.

cdef inline uint16_t kind_of(uint32_t character, const uint16_t* table) noexcept nogil:
    if character < BASIC:
        return table[character]
    return blankless_kind if extension_first <= character < extension_end else 0


def count_signs(list texts not None, const uint16_t[::1] kinds not None):
    """`signs.count_signs`."""
    cdef Py_ssize_t size = len(texts), place, i, length
    cdef bytes found = PyBytes_FromStringAndSize(NULL, size * COUNTS * sizeof(int32_t))
    cdef int32_t* counts = <int32_t*> PyBytes_AS_STRING(found)
    cdef const uint16_t* table = &kinds[0]
    cdef uint16_t before, here, after
    cdef int form, k
    cdef void* data
    cdef int32_t own[COUNTS]
    for place in range(size):
        text = <str> texts[place]
        length, form, data = len(<str> text), PyUnicode_KIND(text), PyUnicode_DATA(text)
        for k in range(COUNTS):
            own[k] = 0
        before = gap
        here = kind_of(PyUnicode_READ(form, data, 0), table) if length else gap
        for i in range(length):
            after = kind_of(PyUnicode_READ(form, data, i + 1), table) if i + 1 < length else gap
            if here:
                own[0] += here & upper != 0 and before & gap != 0
                own[1] += here & full_end != 0 or (here & end != 0 and after & after_end != 0)
                own[2] += here & gap != 0
                for k in range(6):
                    own[3 + k] += here & counted[k] != 0
            before, here = here, after
        own[2] += 1  # the end of the text
        for k in range(COUNTS):
            counts[k * size + place] = own[k]
    return found


cdef inline bint is_blankless(uint32_t character) noexcept nogil:
    cdef int i
    for i in range(blankless):
        if character <= blankless_last[i]:
            return character >= blankless_first[i]
    return False


cdef struct Word:
    uint64_t code
    Py_ssize_t start  # of its characters
    Py_ssize_t length
    int sets  # bits of the sets that it stands in
    bint in_body


cdef class Words:
    """A table of words: which of the known sets each stands in. Words are found by a code, and compared."""

    cdef Word* words
    cdef int32_t* slots
    cdef uint32_t* characters
    cdef uint64_t* pairs
    cdef Py_ssize_t count, mask, used, room, pairs_mask

    def __cinit__(self, Py_ssize_t most):
        cdef Py_ssize_t size = 64
        while size < 2 * most:
            size *= 2
        self.mask = size - 1
        self.words = <Word*> calloc(most + 1, sizeof(Word))
        self.slots = <int32_t*> calloc(size, sizeof(int32_t))
        if self.words == NULL or self.slots == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.words)
        free(self.slots)
        free(self.characters)
        free(self.pairs)

    cdef int32_t find(self, uint64_t code, const uint32_t* characters, Py_ssize_t length) noexcept nogil:
        """The word's number, from 1 on; 0 for none."""
        cdef Py_ssize_t slot = (code ^ code >> 32) & self.mask
        cdef Word* word
        while self.slots[slot]:
            word = &self.words[self.slots[slot]]
            if word.code == code and word.length == length:
                if memcmp(self.characters + word.start, characters, length * sizeof(uint32_t)) == 0:
                    return self.slots[slot]
            slot = (slot + 1) & self.mask
        return 0

    cdef int32_t add(self, uint64_t code, const uint32_t* characters, Py_ssize_t length) except -1:
        cdef int32_t number = self.find(code, characters, length)
        cdef Py_ssize_t slot = (code ^ code >> 32) & self.mask, i
        cdef Word* word
        if number:
            return number
        if self.used + length > self.room:
            self.room = 2 * (self.used + length) + 4096
            self.characters = <uint32_t*> grown(self.characters, self.room * sizeof(uint32_t))
        self.count += 1
        word = &self.words[self.count]
        word.code, word.start, word.length = code, self.used, length
        for i in range(length):
            self.characters[self.used + i] = characters[i]
        self.used += length
        while self.slots[slot]:
            slot = (slot + 1) & self.mask
        self.slots[slot] = <int32_t> self.count
        return <int32_t> self.count

    cdef int add_pairs(self, Reader reader) except -1:
        """Take in the body's words, and which of them are neighbours."""
        cdef Py_ssize_t size = 64
        cdef int32_t before = 0, number
        while size < 2 * reader.length:
            size *= 2
        self.pairs = <uint64_t*> calloc(size, sizeof(uint64_t))
        if self.pairs == NULL:
            raise MemoryError
        self.pairs_mask = size - 1
        while reader.next():
            number = self.add(reader.code, reader.characters, reader.size)
            self.words[number].in_body = True
            if before:
                self.pairs[self.slot_of(before, number)] = <uint64_t> before << 32 | <uint64_t> number
            before = number
        return 0

    cdef Py_ssize_t slot_of(self, int32_t first, int32_t second) noexcept nogil:
        """Where a pair stands, or would."""
        cdef uint64_t pair = <uint64_t> first << 32 | <uint64_t> second
        cdef Py_ssize_t slot = (pair * 0x9E3779B97F4A7C15ULL >> 32) & self.pairs_mask
        while self.pairs[slot] and self.pairs[slot] != pair:
            slot = (slot + 1) & self.pairs_mask
        return slot


cdef class Reader:
    """The words of one text after the other."""

    cdef void* data
    cdef int form
    cdef Py_ssize_t length, at, room
    cdef str text
    cdef uint32_t* characters  # the word
    cdef Py_ssize_t size
    cdef uint64_t code

    def __dealloc__(self):
        free(self.characters)

    cdef int read(self, str text) except -1:
        self.text, self.length, self.at = text, len(text), 0
        self.form, self.data = PyUnicode_KIND(text), PyUnicode_DATA(text)
        if self.length > self.room:
            self.room = 2 * self.length + 256
            self.characters = <uint32_t*> grown(self.characters, self.room * sizeof(uint32_t))
        return 0

    cdef bint next(self) noexcept:
        """Whether there is another word."""
        cdef uint32_t character
        self.size, self.code = 0, 14695981039346656037ULL
        while self.at < self.length:
            character = PyUnicode_READ(self.form, self.data, self.at)
            if character < 128:
                if not letters[character]:
                    self.at += 1
                    if self.size:
                        return True
                    continue
            elif is_blankless(character):
                if not self.size:
                    self.take(character)
                return True
            elif not Py_UNICODE_ISALNUM(<Py_UCS4> character):
                self.at += 1
                if self.size:
                    return True
                continue
            self.take(character)
        return self.size > 0

    cdef inline void take(self, uint32_t character) noexcept:
        self.code = (self.code ^ character) * 1099511628211ULL
        self.characters[self.size] = character
        self.size += 1
        self.at += 1


def word_shares(list texts not None, tuple known not None, str body not None):
    """`text.word_shares`."""
    cdef Py_ssize_t size = len(texts), rows = len(known) + 1, place, most = len(body) + 1, count, both, k
    cdef bytes found = PyBytes_FromStringAndSize(NULL, size * rows * sizeof(double))
    cdef double* shares = <double*> PyBytes_AS_STRING(found)
    cdef int32_t number, before
    cdef int sets
    cdef Py_ssize_t hits[32]
    cdef Reader reader = Reader()
    cdef Words words
    for group in known:
        most += len(group)
    words = Words(most)
    for k in range(rows - 1):
        for word in known[k]:
            reader.read(<str> word)
            if reader.next() and reader.at == reader.length and reader.size == reader.length:  # else no text has it
                words.words[words.add(reader.code, reader.characters, reader.size)].sets |= 1 << k
    reader.read(body)
    words.add_pairs(reader)
    for place in range(size):
        reader.read(<str> texts[place])
        count = both = 0
        before = 0
        for k in range(rows):
            hits[k] = 0
        while reader.next():
            count += 1
            number = words.find(reader.code, reader.characters, reader.size)
            if number:
                sets = words.words[number].sets
                for k in range(rows - 1):
                    hits[k] += sets >> k & 1
                if before and words.words[number].in_body and words.pairs[words.slot_of(before, number)]:
                    both += 1
            before = number
        for k in range(rows - 1):
            shares[k * size + place] = <double> hits[k] / <double> count if count else 0.0
        shares[(rows - 1) * size + place] = <double> both / <double> (count - 1) if count > 1 else 0.0
    return found


# ---------------------------------------------------------------------------------------------------------------------
# Elements.

def number_elements(list parent not None, list tag not None, list of_run not None, values_of, names_among, facts not None):
    """`tree.number_elements`."""
    cdef Py_ssize_t size = len(parent), element, count = 1, k, above, runs = len(of_run)
    cdef int32_t* numbers
    cdef int64_t* columns
    cdef tuple keys = facts.keys
    cdef Py_ssize_t class_place = facts.class_place
    cdef dict bits = facts.bits, known = {}
    cdef object nameless = facts.nameless
    cdef list words = [()], classes = [""], parents = [0]
    numbers = <int32_t*> calloc(size + 1, sizeof(int32_t))
    if numbers == NULL:
        raise MemoryError
    try:
        for at in of_run:
            element = at
            while element >= 0 and not numbers[element]:
                numbers[element] = 1
                count += 1
                element = <Py_ssize_t> parent[element]
        found = PyBytes_FromStringAndSize(NULL, (7 * count + runs) * sizeof(int64_t))
        columns = <int64_t*> PyBytes_AS_STRING(found)
        for k in range(7):
            columns[k * count] = 0
        k = 0
        for element in range(size):
            if not numbers[element]:
                continue
            k += 1
            numbers[element] = <int32_t> k
            above = <Py_ssize_t> parent[element]
            above = numbers[above] if above >= 0 else 0
            number = tag[element]
            values = values_of(element, keys)
            if values is None:
                names, kind = NO_NAMES, ""
            else:
                kind = (<tuple> values)[class_place] or ""
                names = known.get(values) if number not in nameless else NO_NAMES
                if names is None:
                    names = known[values] = names_among(values)
            words.append((<tuple> names)[1])
            classes.append(kind)
            parents.append(above)
            columns[k] = above
            columns[count + k] = columns[count + above] + 1
            columns[2 * count + k] = number
            columns[3 * count + k] = (<tuple> names)[0]
            columns[4 * count + k] = columns[4 * count + above] | columns[3 * count + k]
            bit = bits.get(number)
            columns[5 * count + k] = columns[5 * count + above]
            if bit is not None:
                columns[5 * count + k] |= <int64_t> bit
            columns[6 * count + k] = k
        for k in range(count - 1, 0, -1):
            above = columns[k]
            if columns[6 * count + above] < columns[6 * count + k]:
                columns[6 * count + above] = columns[6 * count + k]
        for k in range(runs):
            element = of_run[k]
            columns[7 * count + k] = numbers[element] if element >= 0 else 0
        return parents, words, classes, found
    finally:
        free(numbers)


def weigh_names(list words not None, list above not None, dict table not None):
    """`tree.weigh_names`."""
    cdef Py_ssize_t size = len(words), place, parent, number
    cdef bytes found = PyBytes_FromStringAndSize(NULL, size * 6 * sizeof(double))
    cdef double* rows = <double*> PyBytes_AS_STRING(found)
    cdef double* row
    cdef double* outer
    cdef double total, least, most, value
    cdef dict known = {}
    for place in range(size):
        named = <tuple> words[place]
        row, outer = rows + 6 * place, rows + 6 * <Py_ssize_t> above[place]
        if not place:
            row[2] = row[3] = row[4] = row[5] = 0.0
        total = least = most = 0.0
        number = 0
        for word in <tuple> named:
            weight = table.get(word)
            if weight is not None:
                value = weight
                total += value
                least = value if not number else min(least, value)
                most = value if not number else max(most, value)
                number += 1
        row[0] = total / <double> number if number else 0.0
        row[1] = least
        row[2] = outer[2] + total
        row[3] = outer[3] + <double> number
        row[4] = min(outer[4], least) if number else outer[4]
        row[5] = max(outer[5], most) if number else outer[5]
    return found


# ---------------------------------------------------------------------------------------------------------------------
# Trees.

cdef extern from *:
    """
    /* Lays the masks of the failing nodes of one tree over each other, for BLOCK runs. */
    static inline void strike(uint32_t* masks, const float* column, float threshold, uint32_t struck) {
        for (int i = 0; i < 16; i++) masks[i] |= column[i] > threshold ? struck : 0;
    }
    static inline int lowest_left(uint32_t mask) {
        uint32_t left = ~mask;
        int place = 0;
        if (!(left & 0xFFFF)) { place += 16; left >>= 16; }
        if (!(left & 0xFF)) { place += 8; left >>= 8; }
        if (!(left & 0xF)) { place += 4; left >>= 4; }
        if (!(left & 3)) { place += 2; left >>= 2; }
        return place + !(left & 1);
    }
    """
    void strike(uint32_t* masks, const float* column, float threshold, uint32_t struck) noexcept nogil
    int lowest_left(uint32_t mask) noexcept nogil


cdef struct Lane:
    float values[BLOCK]


def leaf_sums(
    const float[:, ::1] columns not None,
    const int64_t[::1] feature not None,
    const float[:, ::1] threshold not None,
    const uint32_t[:, ::1] struck not None,
    const float[::1] leaves not None,
    Py_ssize_t width,
):
    """`trees.leaf_sums`."""
    cdef Py_ssize_t rows = columns.shape[1], trees = leaves.shape[0] // LEAVES, start, tree, place, node
    cdef Py_ssize_t features = columns.shape[0], i, k
    cdef bytes found = PyBytes_FromStringAndSize(NULL, rows * sizeof(double))
    cdef double* sums = <double*> PyBytes_AS_STRING(found)
    cdef double total[BLOCK]
    cdef uint32_t masks[BLOCK]
    cdef Lane* block
    for k in range(feature.shape[0]):
        if not 0 <= feature[k] < features:
            raise IndexError("a tree asks for a column that is not there")
    block = <Lane*> calloc(features + 1, sizeof(Lane))
    if block == NULL:
        raise MemoryError
    for start in range(0, rows, BLOCK):
        for k in range(features):
            for i in range(min(BLOCK, rows - start)):
                block[k].values[i] = columns[k, start + i]
        for i in range(BLOCK):
            total[i] = 0.0
        for tree in range(trees):
            for i in range(BLOCK):
                masks[i] = 0
            for place in range(width):
                node = place * trees + tree
                strike(masks, block[feature[node]].values, threshold[node, 0], struck[node, 0])
            for i in range(BLOCK):
                total[i] += leaves[tree * LEAVES + lowest_left(masks[i])]
        for i in range(min(BLOCK, rows - start)):
            sums[start + i] = total[i]
    free(block)
    return found
