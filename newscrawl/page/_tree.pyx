# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The walk, the runs and what the head reads, over libxml2's nodes themselves: page.walk, page.runs and page.head compiled.

Those modules are the reference: every function here gives what its namesake there gives (tests/kernels).
Only fields of nodes are read, no function of libxml2 is called; page.compiled makes sure before that this module was
compiled for the libxml2 that lxml uses. Nothing recurses, since pages nest deeper than any stack. A node of a kind that
an HTML parser does not make ends the walk with `Unusual`, and the reference takes the page.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy, memmove, strcmp, strlen

from cpython.ref cimport Py_INCREF, PyObject
from cpython.tuple cimport PyTuple_SET_ITEM
from cpython.unicode cimport PyUnicode_DecodeUTF8

cimport lxml.includes.etreepublic as etree
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE,
    XML_ELEMENT_NODE,
    XML_TEXT_NODE,
    xmlAttr,
    xmlNode,
)

from functools import partial

from newscrawl.page.elements import NO_PARENT, CodeOfElements
from newscrawl.page.head import (
    _ALWAYS_MARKED,
    _ANCHOR,
    _HEADLINE,
    _MARKED_CLASSES,
    _META_KEYS,
    _DECLARING_TAGS,
    MARKED_CHARACTERS,
    MARKED_ELEMENTS,
    Head,
    HeadLink,
    Link,
    Marked,
    collapse,
)
from newscrawl.page.run import (
    BLANK_BEFORE,
    BLOCK_BEFORE,
    BREAK_BEFORE,
    IGNORED_BY_BOILERPIPE,
    PARAGRAPH_BEFORE,
    SPACE_BEFORE,
    TextRun,
)
from newscrawl.page.runs import ANCHORED, CONCEALED, FLAGS, LEVEL_SHIFT, LINKED, RAISED, SCRIPTS, SIGNS, FAINT, UNSEEN
from newscrawl.page.styles import bits_of_style
from newscrawl.page.tags import READINGS, TAG_CODE
from newscrawl.page.walk import _BREAKS, _HEAD, _LEAVES_OUT, _OPEN, _STEPS, _UNKNOWN, _VOID, HEAD_TAGS, LEADS
from newscrawl.page.words import BLANKLESS_RANGES, CHARACTERS_PER_WORD, LONE_SYMBOLS, count_words

cdef extern from "Python.h":
    object PyType_GenericAlloc(type kind, Py_ssize_t items)
    void PyObject_GC_UnTrack(void* value)
    int Py_UNICODE_ISSPACE(Py_UCS4 character) nogil
    int Py_UNICODE_ISDECIMAL(Py_UCS4 character) nogil
    object PyUnicode_New(Py_ssize_t size, Py_UCS4 maxchar)
    void* PyUnicode_DATA(object text)
    const char* PyUnicode_AsUTF8(object text) except NULL

cdef extern from "libxml/xmlversion.h":
    int LIBXML_VERSION

cdef extern from *:
    """
    #ifndef NEWSCRAWL_SOURCES
    #define NEWSCRAWL_SOURCES ""
    #endif
    """
    const char* NEWSCRAWL_SOURCES

etree.import_lxml__etree()

SOURCES = NEWSCRAWL_SOURCES.decode()
"""What this was built from (newscrawl.compiled)."""
COMPILED_FOR = (LIBXML_VERSION // 10000, LIBXML_VERSION // 100 % 100)
"""Major and minor version of the libxml2 whose nodes this module knows."""

ctypedef const unsigned char* Bytes


class Unusual(Exception):
    """A tree that the reference has to walk."""


# ---------------------------------------------------------------------------------------------------------------------
# Tables of the reference, as C can look them up.

cdef enum:
    TABLE = 1024
    MAX_LONE = 8
    RECENT = 256  # names of a page whose steps are remembered by address: a parser stores a name once

cdef enum Declaration:
    NO_DECLARATION, TITLE, META, LINK, BASE, SCRIPT

cdef struct Step:
    const char* name
    size_t length
    int number
    int splits  # flags of the boundary; -1 where it splits nothing
    int64_t bits
    int64_t level
    int action
    bint keeps_breaks
    bint declares
    bint in_head
    Declaration declaration

cdef Step steps[TABLE]
cdef Step unknown
cdef uint64_t lone[TABLE]
cdef bint begins_lone[256]  # bytes with which a lone symbol begins
cdef int64_t code_of_tag[TABLE]
cdef bint always_marked[TABLE]
cdef uint32_t blankless_first[16]
cdef uint32_t blankless_last[16]
cdef int blankless_ranges = 0
cdef const char* marked_classes[32]
cdef int marked_count = 0
cdef bint starts_marked[256]
cdef bint is_plain[256]  # ASCII characters but white space and NUL, which follows a text
cdef const char* meta_keys[8]
cdef int meta_count = 0
cdef const char* leads[8]
cdef int lead_count = 0
cdef const char* readings[4]
cdef int reading_count = 0
cdef uint32_t signs[4]
cdef int sign_count = 0
cdef list _kept = []  # bytes that the tables point into

cdef int OPEN = _OPEN, VOID = _VOID, BREAKS = _BREAKS, LEAVES_OUT = _LEAVES_OUT, HEAD = _HEAD
cdef int64_t LINKED_BIT = LINKED, ANCHORED_BIT = ANCHORED, RAISED_BIT = RAISED, SCRIPT_BITS = SCRIPTS, FAINT_BIT = FAINT, UNSEEN_BIT = UNSEEN, CONCEALED_BITS = CONCEALED
cdef int64_t FLAG_BITS = FLAGS
cdef int SHIFT = LEVEL_SHIFT
cdef int BLANK = BLANK_BEFORE, SPACE = SPACE_BEFORE, PARAGRAPH = PARAGRAPH_BEFORE
cdef int BLOCK_FLAG = BLOCK_BEFORE
cdef int BREAK_FLAGS = BREAK_BEFORE | BLOCK_BEFORE | SPACE_BEFORE
cdef int64_t IGNORED = IGNORED_BY_BOILERPIPE
cdef int PER_WORD = CHARACTERS_PER_WORD
cdef int NOWHERE = NO_PARENT
cdef int ANCHOR_TAG = _ANCHOR, HEADLINE_TAG = _HEADLINE
cdef Py_ssize_t MARKED_LIMIT = MARKED_ELEMENTS
cdef Py_ssize_t TEXT_LIMIT = MARKED_CHARACTERS
cdef tuple NO_BLANKS = ()
cdef type new_run = TextRun
cdef type new_code = CodeOfElements


cdef const char* keep(str text) except NULL:
    data = text.encode()
    _kept.append(data)
    return <const char*> <bytes> data


cdef inline uint64_t hash_of(Bytes text, size_t length) noexcept nogil:
    cdef uint64_t value = 14695981039346656037ULL
    cdef size_t i
    for i in range(length):
        value = (value ^ text[i]) * 1099511628211ULL
    return value ^ value >> 29


cdef Step step_of(str name, values) except *:
    cdef Step step
    number, splits, bits, level, action, keeps_breaks, declares = values
    step.name = keep(name)
    step.length = strlen(step.name)
    step.number = number
    step.splits = -1 if splits is None else splits
    step.bits = bits
    step.level = level
    step.action = action
    step.keeps_breaks = keeps_breaks
    step.declares = declares
    step.in_head = name in HEAD_TAGS
    order = ("", "title", "meta", "link", "base", "script")
    step.declaration = <Declaration> (order.index(name) if name in _DECLARING_TAGS else 0)
    return step


cdef int fill_tables() except -1:
    global unknown, blankless_ranges, marked_count, meta_count, lead_count, reading_count, sign_count
    cdef uint64_t place, packed
    cdef bytes data
    for place in range(TABLE):
        steps[place].name = NULL
        lone[place] = 0
    if not HEAD_TAGS <= _STEPS.keys() or not _DECLARING_TAGS <= _STEPS.keys():
        raise Unusual("a tag of the head is not in the table of tags")
    unknown = step_of("?", _UNKNOWN)
    for name, values in _STEPS.items():
        if name in {"?", "/"}:
            continue
        data = name.encode()
        place = hash_of(data, len(data)) % TABLE
        while steps[place].name != NULL:
            place = (place + 1) % TABLE
        steps[place] = step_of(name, values)
    for number, code in enumerate(TAG_CODE):
        code_of_tag[number] = code
        always_marked[number] = number in _ALWAYS_MARKED
    for symbol in LONE_SYMBOLS:
        data = symbol.encode()
        if len(data) > MAX_LONE or data[:1].isalnum():
            raise Unusual("a lone symbol is too long for the table")
        begins_lone[data[0]] = True
        packed = pack(data, len(data))
        place = (packed ^ packed >> 17) * 1099511628211ULL % TABLE
        while lone[place]:
            place = (place + 1) % TABLE
        lone[place] = packed
    for first, last in BLANKLESS_RANGES:
        blankless_first[blankless_ranges] = ord(first)
        blankless_last[blankless_ranges] = ord(last)
        blankless_ranges += 1
    for place in range(256):
        starts_marked[place] = False
        is_plain[place] = 0 < place < 128 and not is_ascii_space(<unsigned char> place)
    for word in _MARKED_CLASSES:
        marked_classes[marked_count] = keep(word)
        starts_marked[<unsigned char> marked_classes[marked_count][0]] = True
        starts_marked[<unsigned char> marked_classes[marked_count][0] - 32] = True
        marked_count += 1
    for key in _META_KEYS:
        meta_keys[meta_count] = keep(key)
        meta_count += 1
    for key in LEADS:
        leads[lead_count] = keep(key)
        lead_count += 1
    for reading in READINGS:
        readings[reading_count] = keep(reading)
        reading_count += 1
    for sign in SIGNS:
        signs[sign_count] = ord(sign)
        sign_count += 1
    return 0


cdef inline uint64_t pack(Bytes text, size_t length) noexcept nogil:
    cdef uint64_t packed = 0
    memcpy(&packed, text, length)
    return packed


fill_tables()


cdef inline Step* look_up(const char* name) noexcept nogil:
    cdef size_t length = strlen(name)
    cdef uint64_t place = hash_of(<Bytes> name, length) % TABLE
    while steps[place].name != NULL:
        if steps[place].length == length and memcmp(steps[place].name, name, length) == 0:
            return &steps[place]
        place = (place + 1) % TABLE
    return &unknown


# ---------------------------------------------------------------------------------------------------------------------
# Characters and words, on UTF-8.

cdef inline bint is_lone(Bytes piece, size_t length) noexcept nogil:
    cdef uint64_t packed, place
    if length > MAX_LONE:
        return False
    packed = pack(piece, length)
    place = (packed ^ packed >> 17) * 1099511628211ULL % TABLE
    while lone[place]:
        if lone[place] == packed:
            return True
        place = (place + 1) % TABLE
    return False


cdef inline Py_ssize_t count_pieces(Bytes text, Py_ssize_t length) noexcept nogil:
    """Words of collapsed text in a script with blanks."""
    cdef Py_ssize_t i, end, words = 0
    cdef bint after_blank = True, begins
    for i in range(length):
        begins = after_blank & (text[i] != 32)
        words += begins
        if begins & begins_lone[text[i]]:
            end = i + 1
            while end < length and text[end] != 32:
                end += 1
            words -= is_lone(text + i, end - i)
        after_blank = text[i] == 32
    return words


cdef inline bint is_blankless(uint32_t character) noexcept nogil:
    cdef int i
    for i in range(blankless_ranges):
        if character <= blankless_last[i]:
            if character >= blankless_first[i]:
                return True
    return False


cdef inline bint is_ascii_space(unsigned char c) noexcept nogil:
    return c == 32 or 9 <= c <= 13 or 28 <= c <= 31


cdef inline int decode_one(Bytes at, Bytes end, Py_UCS4* character) noexcept nogil:
    """Bytes of the character beyond ASCII at `at`; 0 where there is none."""
    cdef unsigned char c = at[0]
    cdef int size, i
    cdef uint32_t value
    if c >= 0xF0:
        size, value = 4, c & 7
    elif c >= 0xE0:
        size, value = 3, c & 15
    elif c >= 0xC2:
        size, value = 2, c & 31
    else:
        return 0
    if end - at < size:
        return 0
    for i in range(1, size):
        if at[i] & 0xC0 != 0x80:
            return 0
        value = value << 6 | at[i] & 0x3F
    character[0] = <Py_UCS4> value
    return size


cdef inline int character_at(Bytes at, Bytes end, Py_UCS4* character) noexcept nogil:
    """Bytes of the character at `at`, of text that is UTF-8."""
    if at[0] < 0x80:
        character[0] = at[0]
        return 1
    return decode_one(at, end, character)


cdef inline bint is_sign(uint32_t character) noexcept nogil:
    cdef int i
    for i in range(sign_count):
        if signs[i] == character:
            return True
    return False


cdef inline str text_of_utf8(Bytes text, Py_ssize_t length):
    return PyUnicode_DecodeUTF8(<const char*> text, length, NULL)


# ---------------------------------------------------------------------------------------------------------------------
# Nodes.

cdef inline bint is_text(xmlNode* node) noexcept nogil:
    return node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE


cdef inline xmlNode* first_element(xmlNode* node) noexcept nogil:
    """`node` or the next of its siblings that is an element."""
    while node != NULL and node.type != XML_ELEMENT_NODE:
        node = node.next
    return node


cdef inline xmlNode* following(xmlNode* node, xmlNode* top, bint inside) noexcept nogil:
    """The next node below `top` in document order; with `inside` the first one inside `node`, if there is any."""
    if inside and node.type == XML_ELEMENT_NODE and node.children != NULL:
        return node.children
    while node != top:
        if node.next != NULL:
            return node.next
        node = node.parent
    return NULL


cdef str value_of(xmlNode* node, xmlAttr* attribute):
    cdef xmlNode* child = attribute.children
    if child == NULL:
        return ""
    if child.next == NULL and child.type == XML_TEXT_NODE:
        return text_of_utf8(child.content, strlen(<const char*> child.content)) if child.content != NULL else ""
    return etree.attributeValue(node, attribute)


cdef xmlAttr* find(xmlNode* node, const char* name) noexcept nogil:
    cdef xmlAttr* attribute = node.properties
    while attribute != NULL:
        if attribute.ns == NULL and strcmp(<const char*> attribute.name, name) == 0:
            return attribute
        attribute = attribute.next
    return NULL


cdef object get(xmlNode* node, const char* name):
    cdef xmlAttr* attribute = find(node, name)
    return value_of(node, attribute) if attribute != NULL else None


cdef str own_text(xmlNode* node):
    """What lxml calls the text of an element: that before its first child; empty in place of None."""
    cdef xmlNode* child = node.children
    cdef str text = ""
    while child != NULL and is_text(child):
        if child.content != NULL:
            text += text_of_utf8(child.content, strlen(<const char*> child.content))
        child = child.next
    return text


cdef bint is_unread(xmlNode* parent) except -1:
    """`head.is_unread`."""
    cdef int i
    for i in range(reading_count):
        if strcmp(<const char*> parent.name, readings[i]) == 0:
            return True
    if strcmp(<const char*> parent.name, "style") == 0:
        return True
    return strcmp(<const char*> parent.name, "script") == 0 and "ld+json" not in (get(parent, "type") or "").lower()


cdef inline bint begins_line(xmlNode* node) noexcept nogil:
    """Whether the tag is one of `head._NEW_LINE`."""
    cdef Step* step = look_up(<const char*> node.name)
    return step.action == BREAKS or (step.splits > 0 and (step.splits & BLOCK_FLAG) != 0)


cdef int new_line(list parts) except -1:
    if parts and <str> parts[len(parts) - 1] != " ":
        parts.append(" ")
    return 0


cdef str limited_text(xmlNode* node):
    """`head.limited_text`."""
    cdef xmlNode* at
    cdef list parts
    cdef Py_ssize_t left = TEXT_LIMIT
    cdef str part
    if first_element(node.children) == NULL:
        return own_text(node)
    parts = []
    at = node.children
    while at != NULL:
        if is_text(at):
            if at.content != NULL and not is_unread(at.parent):
                part = text_of_utf8(at.content, strlen(<const char*> at.content))
                parts.append(part)
                left -= len(part)
            if left <= 0 and not (at.next != NULL and is_text(at.next)):
                break
        elif at.type == XML_ELEMENT_NODE:
            if begins_line(at):
                new_line(parts)
            if at.children != NULL:
                at = at.children
                continue
        while at != node and at.next == NULL:
            at = at.parent
            if at != node and begins_line(at):
                new_line(parts)
        at = at.next if at != node else NULL
    return "".join(parts)


cdef bint speaks_of_author_or_date(xmlNode* node, xmlAttr* attribute) except -1:
    """Whether a class has one of the words that `head` marks."""
    cdef xmlNode* child = attribute.children
    cdef Bytes at
    cdef Bytes place
    cdef const char* word
    cdef int i
    if child == NULL:
        return False
    if child.next == NULL and child.type == XML_TEXT_NODE and child.content != NULL:
        at = child.content
        while at[0] and at[0] < 128:
            if starts_marked[at[0]]:
                for i in range(marked_count):
                    place, word = at, marked_classes[i]
                    while word[0] and (place[0] | 32) == <unsigned char> word[0]:
                        place += 1
                        word += 1
                    if not word[0]:
                        return True
            at += 1
        if not at[0]:
            return False
    names = value_of(node, attribute).lower()
    return any([part in names for part in _MARKED_CLASSES])


# ---------------------------------------------------------------------------------------------------------------------
# The tree.

cdef struct Level:
    xmlNode* node
    int boundary
    int element
    PyObject* number  # `element` as the list of parents has it; NULL before its first child
    int container
    int64_t mode
    bint drops  # the root's own head: what belongs there is left out


cdef struct Piece:
    Py_ssize_t start  # of its collapsed text in the buffer
    Py_ssize_t end
    Py_ssize_t characters
    Py_ssize_t words
    bint blank
    bint space_first
    bint space_last
    bint linked
    bint anchored
    bint blankless


cdef class Tree:
    """One page's tree after the one walk over it."""

    cdef object keeper  # an element of lxml's: keeps the whole tree
    cdef xmlNode* root
    cdef xmlNode** nodes
    cdef xmlNode** declarations
    cdef Step** declaration_steps
    cdef Py_ssize_t count, room, declarations_count, declarations_room
    cdef readonly Py_ssize_t unseen
    cdef readonly list parents
    cdef readonly list tags

    def __cinit__(self):
        self.nodes = NULL
        self.declarations = NULL
        self.declaration_steps = NULL

    def __init__(self, keeper not None):
        self.root = (<etree._Element?> keeper)._c_node
        self.keeper = keeper
        self.parents, self.tags = [], []

    def __dealloc__(self):
        free(self.nodes)
        free(self.declarations)
        free(self.declaration_steps)

    def __len__(self):
        return self.count

    def walk(self, elements):
        """Runs and spacers; `elements` gets parents and tags, and the runs refer to it. To be called once.

        The tree does not keep the runs: they hold `elements`, whose attributes hold the tree.
        """
        self.parents, self.tags = elements.parent, elements.tag
        walk = _Walk(self, elements)
        walk.walk(self.root)
        return tuple(walk.runs), tuple(walk.spacers)

    cdef int add(self, xmlNode* node) except -1:
        if self.count == self.room:
            self.room = 2 * self.room + 256
            self.nodes = <xmlNode**> grown(self.nodes, self.room * sizeof(xmlNode*))
        self.nodes[self.count] = node
        self.count += 1
        return 0

    cdef int add_declaration(self, xmlNode* node, Step* step) except -1:
        if self.declarations_count == self.declarations_room:
            self.declarations_room = 2 * self.declarations_room + 64
            self.declarations = <xmlNode**> grown(self.declarations, self.declarations_room * sizeof(xmlNode*))
            self.declaration_steps = <Step**> grown(self.declaration_steps, self.declarations_room * sizeof(Step*))
        self.declarations[self.declarations_count] = node
        self.declaration_steps[self.declarations_count] = step
        self.declarations_count += 1
        return 0

    cdef xmlNode* node(self, Py_ssize_t element) except NULL:
        if not 0 <= element < self.count:
            raise IndexError(element)
        return self.nodes[element]

    def attributes(self, Py_ssize_t element):
        """Names and values of an element's attributes."""
        cdef xmlNode* node = self.node(element)
        cdef xmlAttr* attribute = node.properties
        cdef dict found = {}
        while attribute != NULL:
            if attribute.ns == NULL:
                name = text_of_utf8(attribute.name, strlen(<const char*> attribute.name))
            else:
                name = etree.namespacedName(<xmlNode*> attribute)
            found[name] = value_of(node, attribute)
            attribute = attribute.next
        return found

    def values(self, Py_ssize_t element, tuple keys not None):
        """`elements.values_among`."""
        cdef xmlNode* node = self.node(element)
        if node.properties == NULL:
            return None
        return tuple([get(node, PyUnicode_AsUTF8(key)) for key in keys])

    def marked_text(self, Py_ssize_t element):
        """The text of a marked element."""
        return collapse(limited_text(self.node(element)))[:TEXT_LIMIT]

    def text_before(self, Py_ssize_t element):
        """`head.text_before`."""
        cdef xmlNode* at = self.node(element).prev
        cdef str text = ""
        while at != NULL and is_text(at):
            if at.content != NULL:
                text = text_of_utf8(at.content, strlen(<const char*> at.content)) + text
            at = at.prev
        return text

    def numbers(self, list elements not None):
        """`head.numbers_of`. Each search goes on where the one before ended: elements in document order take one pass."""
        cdef Py_ssize_t place = 0, steps
        cdef xmlNode* node
        cdef list found = []
        for element in elements:
            node = (<etree._Element?> element)._c_node
            steps = 0
            while steps < self.count and self.nodes[place] != node:
                place = place + 1 if place + 1 < self.count else 0
                steps += 1
            found.append(place if steps < self.count else NOWHERE)
        return found

    def head(self):
        """`head.read_head`."""
        cdef Py_ssize_t i
        cdef xmlNode* node
        cdef int k
        title = base = None
        cdef list meta = [], links = []
        for i in range(self.declarations_count):
            node = self.declarations[i]
            declaration = self.declaration_steps[i].declaration
            if declaration == TITLE:
                if title is None:
                    title = collapse(limited_text(node)) or None
            elif declaration == META:
                content = get(node, "content")
                if content is not None:
                    content = content.strip()
                    for k in range(meta_count):
                        key = get(node, meta_keys[k])
                        if key:
                            meta.append((key.strip().lower(), content))
            elif declaration == LINK:
                rel, href = get(node, "rel"), get(node, "href")
                if rel and href:
                    kind, language, name = get(node, "type"), get(node, "hreflang"), get(node, "title")
                    links.append(HeadLink(rel.lower(), href.strip(), (kind or "").lower(), language or "", name or ""))
            elif declaration == BASE and base is None:
                base = get(node, "href")
        return Head(title, tuple(meta), tuple(links), base)

    def language(self):
        """The language that the root says it is in."""
        if not self.count or strcmp(<const char*> self.nodes[0].name, "html") != 0:
            return None
        return get(self.nodes[0], "lang") or get(self.nodes[0], "xml:lang")

    def headline(self):
        """`head.read_headline`."""
        cdef Py_ssize_t place, seen = 0
        for place in range(self.count):
            if <int> self.tags[place] == HEADLINE_TAG:
                text = self.marked_text(place)
                if text:
                    return text
                seen += 1
                if seen == MARKED_LIMIT:
                    break
        return None

    def marked(self):
        """`head.read_marked`."""
        cdef Py_ssize_t element
        cdef xmlNode* node
        cdef xmlAttr* attribute
        cdef xmlNode* value
        cdef const char* name
        cdef bint is_marked
        cdef list marked = []
        for element in range(self.count):
            node = self.nodes[element]
            is_marked = always_marked[<int> self.tags[element]]
            attribute = node.properties
            while attribute != NULL and not is_marked:
                name = <const char*> attribute.name
                if attribute.ns == NULL:
                    if name[0] == c"c" and strcmp(name, "class") == 0:
                        is_marked = speaks_of_author_or_date(node, attribute)
                    elif name[0] == c"i":
                        is_marked = strcmp(name, "itemprop") == 0
                    elif name[0] == c"r" and strcmp(name, "rel") == 0:
                        is_marked = value_of(node, attribute) == "author"
                attribute = attribute.next
            if is_marked:
                tag = text_of_utf8(node.name, strlen(<const char*> node.name))
                marked.append(Marked(element, tag, self.attributes(element), partial(self.marked_text, element)))
                if len(marked) == MARKED_LIMIT:
                    break
        return tuple(marked)

    def scripts(self):
        """`head.read_scripts`."""
        cdef Py_ssize_t i
        cdef list found = []
        for i in range(self.declarations_count):
            if self.declaration_steps[i].declaration == SCRIPT:
                kind = get(self.declarations[i], "type")
                if kind and "ld+json" in kind.lower():
                    text = own_text(self.declarations[i])
                    if text:
                        found.append(text)
        return tuple(found)

    def links(self, Py_ssize_t start=0, end=None):
        """`head.read_links`."""
        cdef Py_ssize_t element, last = self.count if end is None else min(self.count, end)
        cdef list found = []
        for element in range(start, last):
            if <int> self.tags[element] == ANCHOR_TAG:
                href = get(self.nodes[element], "href")
                if href:
                    rel = get(self.nodes[element], "rel")
                    text = collapse(limited_text(self.nodes[element]))
                    found.append(Link(href.strip(), text, (rel or "").lower(), element))
        return tuple(found)


cdef void* grown(void* memory, size_t size) except NULL:
    cdef void* larger = realloc(memory, size)
    if larger == NULL:
        raise MemoryError
    return larger


cdef struct Recent:
    const char* name
    Step* step


cdef class _Walk:
    """What the walk carries on its way."""

    cdef Tree tree
    cdef object elements
    cdef list parents, tags, runs, spacers
    cdef Level* levels
    cdef Recent recent[RECENT]
    cdef Piece* pieces
    cdef unsigned char* buffer  # collapsed text of the pieces of the run that is being gathered
    cdef unsigned char* joined
    cdef Py_ssize_t levels_room, pieces_room, pieces_count, buffer_room, used, joined_room
    cdef int run_element, run_inner, boundary
    cdef int64_t run_mode, spacer, skipped, skipped_code, seen, seen_skipped, seen_more
    cdef bint has_spacer, after_break
    cdef int inherited, linked_count, anchored_count
    cdef int64_t last_scripts  # whether the last text with characters is raised or lowered

    def __cinit__(self, Tree tree, elements):
        self.tree = tree
        self.elements = elements
        self.parents, self.tags = tree.parents, tree.tags
        self.runs, self.spacers = [], []
        self.levels = NULL
        self.pieces = NULL
        self.buffer = self.joined = NULL

    def __dealloc__(self):
        free(self.levels)
        free(self.pieces)
        free(self.buffer)
        free(self.joined)

    cdef int walk(self, xmlNode* root) except -1:
        """`walk.walk` and `runs.make_runs`."""
        cdef Level now
        cdef Py_ssize_t depth = 0
        cdef xmlNode* node = root
        cdef Step* step
        cdef bint hears = False  # whether text here is that of an element or follows one that was walked
        now.node, now.boundary, now.element, now.container, now.mode, now.drops = NULL, -1, NOWHERE, NOWHERE, 0, False
        now.number = NULL
        while True:
            if node == NULL:  # the end of an element
                node = now.node
                self.end_run(now.boundary)
                depth -= 1
                now = self.levels[depth]
                hears = True
                if node == root:
                    break
                node = node.next
                continue
            if is_text(node):
                if hears and now.mode & CONCEALED_BITS:
                    node = self.pass_by(node)
                elif hears:
                    node = self.text(node, &now)
                else:
                    node = node.next
                continue
            if node.type != XML_ELEMENT_NODE or node.ns != NULL:
                raise Unusual(f"node of type {<int> node.type}")
            step = self.step_of(<const char*> node.name)
            if now.drops and step.in_head:
                hears = False
                node = node.next
                continue
            hears = True
            if step.splits >= 0:
                self.end_run(step.splits)
            if step.declares:
                self.declares(node, step)
            if not step.keeps_breaks:
                self.after_break = False
            if step.action <= BREAKS:
                self.tree.add(node)
                self.tags.append(step.number)
                self.add_parent(&now)
            if step.action == OPEN or step.action == HEAD:
                if depth == self.levels_room:
                    self.levels_room = 2 * self.levels_room + 64
                    self.levels = <Level*> grown(self.levels, self.levels_room * sizeof(Level))
                self.levels[depth] = now
                depth += 1
                now.node, now.boundary, now.drops = node, step.splits, False
                if step.action == OPEN:
                    now.element, now.number = <int> self.tree.count - 1, NULL
                    if step.splits >= 0:
                        now.container = now.element
                    if node.properties != NULL:
                        self.style(node, step, &now)
                    now.mode = (now.mode | self.bits_of(node, step)) + step.level
                else:
                    self.skipped += 1
                    self.skipped_code += code_of_tag[step.number]
                    now.drops = node.parent == root
                    hears = False
                node = node.children
                continue
            if step.action <= BREAKS:
                if node.children != NULL:
                    raise Unusual("content of an empty element")
                if step.action == BREAKS:
                    self.boundary |= BREAK_FLAGS
                    if self.after_break:
                        self.boundary |= PARAGRAPH
                    self.after_break = True
            else:
                self.skipped += 1
                self.skipped_code += code_of_tag[step.number]
            if node == root:
                break
            node = node.next
        # What follows the root.
        node = root.next
        if node != NULL and is_text(node):
            self.text(node, &now)
        self.end_run(0)
        return 0

    cdef inline Step* step_of(self, const char* name) noexcept nogil:
        """What the walk does at a tag. Two names at the same place of the table displace each other."""
        cdef Recent* recent = &self.recent[<size_t> name % RECENT]
        if recent.name != name:
            recent.name, recent.step = name, look_up(name)
        return recent.step

    cdef int style(self, xmlNode* node, Step* step, Level* now) except -1:
        """What the style of an element says about the text inside it."""
        cdef xmlAttr* attribute = find(node, "style")
        cdef int64_t added, removed
        cdef bint is_hidden
        if attribute != NULL:
            added, removed, is_hidden = bits_of_style(value_of(node, attribute))
            if strcmp(<const char*> node.name, "body") != 0:
                now.mode = now.mode & ~removed | added
        else:
            is_hidden = find(node, "hidden") != NULL
            if now.mode & FAINT_BIT and (find(node, "class") != NULL or find(node, "color") != NULL):
                now.mode ^= FAINT_BIT
        if is_hidden and step.splits < 0 and find(node, "id") == NULL and find(node, "class") == NULL:
            now.mode |= UNSEEN_BIT
        return 0

    cdef xmlNode* pass_by(self, xmlNode* node) except? NULL:
        """Count the words of the text node and those that follow it, which nobody sees; what stands behind them."""
        cdef str text = ""
        while node != NULL and is_text(node):
            if node.content != NULL:
                text += text_of_utf8(node.content, strlen(<const char*> node.content))
            node = node.next
        self.tree.unseen += len(text.split())
        return node

    cdef inline int64_t bits_of(self, xmlNode* node, Step* step) noexcept nogil:
        """What is added to the mode: an anchor that leads nowhere is the target of a link, not a link."""
        cdef int i
        if not step.bits & LINKED_BIT:
            return step.bits
        for i in range(lead_count):
            if find(node, leads[i]) != NULL:
                return step.bits
        return step.bits ^ LINKED_BIT

    cdef inline int add_parent(self, Level* now) except -1:
        """Siblings share the number of their parent, which spares an object for most elements."""
        cdef object number
        if now.number == NULL:
            number = now.element
            self.parents.append(number)
            now.number = <PyObject*> number  # the list keeps it
        else:
            self.parents.append(<object> now.number)
        return 0

    cdef int declares(self, xmlNode* node, Step* step) except -1:
        cdef xmlNode* child
        cdef xmlNode* inner
        cdef Step* kind
        if step.declaration != NO_DECLARATION:
            self.tree.add_declaration(node, step)
            return 0
        child = first_element(node.children)
        while child != NULL:
            kind = look_up(<const char*> child.name)
            if kind.declaration != NO_DECLARATION:
                self.tree.add_declaration(child, kind)
            elif kind.in_head:
                inner = following(child, child, True)
                while inner != NULL:
                    if inner.type == XML_ELEMENT_NODE:
                        kind = look_up(<const char*> inner.name)
                        if kind.declaration != NO_DECLARATION:
                            self.tree.add_declaration(inner, kind)
                    inner = following(inner, child, True)
            child = first_element(child.next)
        return 0

    cdef int end_run(self, int splits) except -1:
        """What the edge of an element does that splits runs."""
        if splits < 0:
            return 0
        if self.pieces_count:
            self.make_run()
            self.boundary = 0
        elif self.has_spacer and not self.spacer & IGNORED:
            self.spacers.append((len(self.runs), self.spacer >> SHIFT))
        self.has_spacer = False
        self.boundary |= splits
        return 0

    cdef xmlNode* text(self, xmlNode* node, Level* now) except? NULL:
        """Take in the text node and those that follow it; what stands behind them."""
        cdef Piece* piece
        cdef Bytes raw
        cdef Py_ssize_t length, start = self.used
        cdef bint has_no_break_space = False, has_text = False
        cdef int state = 0
        if self.pieces_count == self.pieces_room:
            self.pieces_room = 2 * self.pieces_room + 16
            self.pieces = <Piece*> grown(self.pieces, self.pieces_room * sizeof(Piece))
        piece = &self.pieces[self.pieces_count]
        piece.start, piece.characters, piece.blankless = start, 0, False
        piece.space_first = piece.space_last = False
        while node != NULL and is_text(node):
            raw = node.content
            if raw != NULL and raw[0]:
                has_text = True
                length = strlen(<const char*> raw)
                if self.used + length + 2 > self.buffer_room:
                    self.buffer_room = 2 * self.buffer_room + length + 1024
                    self.buffer = <unsigned char*> grown(self.buffer, self.buffer_room)
                if self.collapse(raw, length, piece, &has_no_break_space) < 0:
                    raise Unusual("text that is not UTF-8")
            node = node.next
        if not has_text:
            return node
        piece.end = self.used
        piece.blank = self.used == start
        if not piece.blank:
            if not self.pieces_count:
                self.run_element, self.run_inner = now.container, now.element
                self.run_mode = now.mode | self.boundary
            elif now.mode & SCRIPT_BITS != self.last_scripts and self.digits_meet(piece):
                self.mark_digits(piece, now.mode)
            self.last_scripts = now.mode & SCRIPT_BITS
            piece.linked = (now.mode & LINKED_BIT) != 0
            self.linked_count += piece.linked
            piece.anchored = (now.mode & ANCHORED_BIT) != 0
            self.anchored_count += piece.anchored
            self.pieces_count += 1
            self.after_break = False
        elif self.pieces_count:
            piece.linked = piece.anchored = False
            self.pieces_count += 1
        else:
            self.boundary |= BLANK
            if has_no_break_space:
                self.has_spacer = True
                self.spacer = now.mode
        return node

    cdef bint digits_meet(self, Piece* piece) noexcept nogil:
        """Whether the piece before ends with a digit, and this one begins with one, or with a sign and one."""
        cdef Piece* before = piece - 1
        cdef Bytes at
        cdef Bytes end
        cdef int size
        cdef Py_UCS4 character = 0
        if before.blank or before.space_last or piece.space_first:
            return False
        end = self.buffer + before.end
        at = end - 1
        while at > self.buffer + before.start and at[0] & 0xC0 == 0x80:
            at -= 1
        character_at(at, end, &character)
        if not Py_UNICODE_ISDECIMAL(character):
            return False
        at, end = self.buffer + piece.start, self.buffer + piece.end
        size = character_at(at, end, &character)
        if Py_UNICODE_ISDECIMAL(character):
            return True
        if at + size == end or not is_sign(<uint32_t> character):
            return False
        character_at(at + size, end, &character)
        return Py_UNICODE_ISDECIMAL(character) != 0

    cdef int mark_digits(self, Piece* piece, int64_t mode) except -1:
        """`runs.digits_mark` before the piece, which is the last of the buffer."""
        if not mode & SCRIPT_BITS:
            piece.space_first = True
            return 0
        memmove(self.buffer + piece.start + 1, self.buffer + piece.start, piece.end - piece.start)
        self.buffer[piece.start] = c"^" if mode & RAISED_BIT else c"_"
        piece.end += 1
        piece.characters += 1
        self.used += 1
        return 0

    cdef int collapse(self, Bytes raw, Py_ssize_t length, Piece* piece, bint* has_no_break_space) noexcept nogil:
        """Append the text to the buffer, white space as single blanks and none at the ends; -1 if it is not UTF-8."""
        cdef Bytes end = raw + length
        cdef unsigned char* out = self.buffer + self.used
        cdef bint empty = self.used == piece.start
        cdef bint pending = piece.space_last
        cdef Py_ssize_t characters = piece.characters
        cdef Bytes word
        cdef Py_UCS4 character
        cdef int size
        while raw < end:
            if raw[0] < 0x80:
                if not is_plain[raw[0]]:
                    pending = True
                    raw += 1
                    continue
                if pending:
                    if empty:
                        piece.space_first = True
                    else:
                        out[0] = 32
                        out += 1
                        characters += 1
                    pending = False
                empty = False
                word = raw
                while is_plain[raw[0]]:
                    out[0] = raw[0]
                    out += 1
                    raw += 1
                characters += raw - word
                continue
            size = decode_one(raw, end, &character)
            if not size:
                return -1
            if Py_UNICODE_ISSPACE(character):
                if <uint32_t> character == 0xA0:
                    has_no_break_space[0] = True
                pending = True
                raw += size
                continue
            if pending:
                if empty:
                    piece.space_first = True
                else:
                    out[0] = 32
                    out += 1
                    characters += 1
                pending = False
            empty = False
            if not piece.blankless and <uint32_t> character >= blankless_first[0] and is_blankless(<uint32_t> character):
                piece.blankless = True
            memcpy(out, raw, size)
            out += size
            raw += size
            characters += 1
        piece.space_last = pending
        piece.characters = characters
        self.used = out - self.buffer
        return 0

    cdef int make_run(self) except -1:
        """`runs.make_runs` for the one run that is gathered."""
        cdef Piece* pieces = self.pieces
        cdef Piece* piece
        cdef Py_ssize_t count = self.pieces_count, i, length, characters, words, linked_words = 0, linked_characters = 0
        cdef Py_ssize_t before_end
        cdef int64_t flags = self.run_mode & FLAG_BITS | self.inherited
        cdef bint blankless, had_blank = False, blank_between
        cdef unsigned char* text
        cdef object blanks = NO_BLANKS
        self.inherited = 0
        while pieces[count - 1].blank:
            count -= 1
            self.inherited = BLANK
        if pieces[0].space_first:
            flags |= SPACE
        if pieces[count - 1].space_last:
            self.inherited |= SPACE
        if count == 1:
            text, length, characters = self.buffer + pieces[0].start, pieces[0].end - pieces[0].start, pieces[0].characters
            blankless = pieces[0].blankless
        else:
            if self.used + count > self.joined_room:
                self.joined_room = 2 * (self.used + count)
                self.joined = <unsigned char*> grown(self.joined, self.joined_room)
            text, length, characters, blankless = self.joined, 0, 0, False
            blank_between = False
            piece = NULL
            for i in range(count):
                if pieces[i].blank:
                    blank_between = True
                    continue
                if piece != NULL and (piece.space_last or pieces[i].space_first or blank_between):
                    if blank_between and not (piece.space_last or pieces[i].space_first):
                        if blanks is NO_BLANKS:
                            blanks = []
                        (<list> blanks).append(characters)
                    text[length] = 32
                    length += 1
                    characters += 1
                piece = &pieces[i]
                memcpy(text + length, self.buffer + piece.start, piece.end - piece.start)
                length += piece.end - piece.start
                characters += piece.characters
                blankless |= piece.blankless
                blank_between = False
            if blanks is not NO_BLANKS:
                blanks = tuple(blanks)
        content = text_of_utf8(text, length)
        words = count_words(content) if blankless else count_pieces(text, length)
        if self.linked_count:
            if count == 1 or self.linked_count == count:
                linked_words = words
            else:
                for i in range(count):
                    if pieces[i].linked:
                        linked_words += self.words_of(&pieces[i])
                linked_words = min(words, linked_words)
        if self.anchored_count:
            for i in range(count):
                if pieces[i].anchored:
                    linked_characters += pieces[i].characters + pieces[i].space_first + pieces[i].space_last
        cdef int64_t elements = self.tree.count
        code = PyType_GenericAlloc(new_code, 5)
        put(code, 0, self.elements)
        put(code, 1, self.seen)
        put(code, 2, elements)
        put(code, 3, self.skipped_code - self.seen_more)
        put(code, 4, self.run_inner)
        PyObject_GC_UnTrack(<void*> code)
        run = PyType_GenericAlloc(new_run, 10)
        put(run, 0, content)
        put(run, 1, words)
        put(run, 2, linked_words)
        put(run, 3, linked_characters)
        put(run, 4, self.run_element)
        put(run, 5, flags)
        put(run, 6, self.run_mode >> SHIFT)
        put(run, 7, 2 * (elements + self.skipped - self.seen - self.seen_skipped))
        put(run, 8, code)
        put(run, 9, blanks)
        # Nothing that they hold leads back to them (see walk), so the garbage collector need not look at a page's runs.
        PyObject_GC_UnTrack(<void*> run)
        self.runs.append(run)
        self.seen, self.seen_skipped, self.seen_more = elements, self.skipped, self.skipped_code
        self.pieces_count = self.used = self.linked_count = self.anchored_count = 0
        return 0

    cdef Py_ssize_t words_of(self, Piece* piece) except -1:
        cdef Bytes text = self.buffer + piece.start
        cdef Py_ssize_t length = piece.end - piece.start
        return count_words(text_of_utf8(text, length)) if piece.blankless else count_pieces(text, length)


cdef inline void put(object values, Py_ssize_t place, object value):
    Py_INCREF(value)
    PyTuple_SET_ITEM(values, place, value)
