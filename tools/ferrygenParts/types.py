"""What is known of types: how a selection spells them, what they hold, whether they travel without a view."""
import re

SEQUENCES = ("std::vector", "std::deque", "std::list", "std::array")
SMART_POINTERS = ("std::unique_ptr", "std::shared_ptr")
HOLDERS = ("std::optional",) + SMART_POINTERS
KEYED = ("std::map", "std::multimap", "std::unordered_map", "std::unordered_multimap",
         "std::set", "std::multiset", "std::unordered_set", "std::unordered_multiset")
ADAPTERS = ("std::stack", "std::queue", "std::priority_queue")
LISTS = ("std::forward_list", "std::valarray")    # whose elements travel whole
VALUES = KEYED + ADAPTERS + LISTS + ("std::pair", "std::tuple", "std::variant", "std::complex", "std::weak_ptr", "std::atomic")
PLAIN = ("std::basic_string", "std::bitset", "std::filesystem::path", "std::monostate", "std::chrono::duration",
         "std::chrono::time_point")
HELPERS = ("std::allocator<", "std::less<", "std::hash<", "std::equal_to<", "std::char_traits<", "std::default_delete<")


def squeezed(text):
    """Returns the text without insignificant spaces."""
    return re.sub(r"\s*([<>,*&\[\]()])\s*", r"\1", text.strip())


def withoutPlaces(text):
    """Returns the text of a type without the files and lines of unnamed types in it: these differ from machine to machine."""
    return re.sub(r"\((?:unnamed|anonymous)( \w+)? at [^()]*\)", r"(unnamed\1)", text)


def typeText(type_):
    """Returns a type in the spelling of a selection: full names, and std::string and default template arguments in their short forms."""
    text = withoutPlaces(type_.get_canonical().spelling).replace("std::__cxx11::", "std::")
    text = re.sub(r"\s*\[", "[", re.sub(r"> >", ">>", text))
    while True:
        shorter = re.sub(r", (?:%s)[^<>]*(?:<[^<>]*>[^<>]*)*>" % "|".join(map(re.escape, HELPERS)), "", text)
        shorter = re.sub(r"\bstd::basic_string<char>", "std::string", shorter)
        if shorter == text:
            return text
        text = shorter


class Types:
    """Answers questions about types.

    classFields: ClassFields. defaults: the types that have a default view. unit: the headers, to look for derived classes.
    """

    def __init__(self, cindex, classFields, defaults, unit=None):
        self.kinds = cindex.TypeKind
        self.cursors = cindex.CursorKind
        self.classFields = classFields
        self.unit = unit
        self.defaults = defaults    # types with a default view

    def name(self, type_):
        """Returns the name of a class with its namespaces, without template arguments: std::vector."""
        parts = []
        cursor = type_.get_declaration()
        while cursor is not None and cursor.kind != self.cursors.TRANSLATION_UNIT and cursor.spelling:
            if not cursor.spelling.startswith("__"):    # leaves out the inline namespaces of the library
                parts.append(cursor.spelling)
            cursor = cursor.semantic_parent
        return "::".join(reversed(parts))

    def argument(self, type_, index):
        return type_.get_template_argument_type(index).get_canonical()

    def peel(self, type_):
        """Returns the innermost type, and the names of the containers and pointers around it, outermost first."""
        layers = []
        while True:
            if type_.kind in (self.kinds.CONSTANTARRAY, self.kinds.INCOMPLETEARRAY):
                layers.append("[]" if type_.kind == self.kinds.CONSTANTARRAY else "*[]")
                type_ = type_.element_type.get_canonical()
            elif type_.kind == self.kinds.RECORD and self.name(type_) in SEQUENCES + HOLDERS:
                layers.append(self.name(type_))
                type_ = self.argument(type_, 0)
            else:
                return type_, layers

    def pointee(self, type_):
        declaration = type_.get_pointee().get_canonical().get_declaration()
        return declaration.type.get_canonical() if declaration.type.spelling else type_.get_pointee().get_canonical()

    def isFunction(self, type_):
        return type_.kind in (self.kinds.FUNCTIONPROTO, self.kinds.FUNCTIONNOPROTO)

    def isPointer(self, type_):
        return type_.kind == self.kinds.POINTER

    def isPolymorphic(self, type_):
        """Whether an object of the class may be of a derived class, as far as pointers show."""
        if type_.kind != self.kinds.RECORD:
            return False
        declaration = type_.get_declaration()
        if any(child.kind == self.cursors.CXX_FINAL_ATTR for child in declaration.get_children()):
            return False
        return self.hasVirtual(type_)

    def couldBe(self, base):
        """The classes of which an object behind a pointer to the base class may be, as text: those of the headers that are not abstract."""
        found = [typeText(each) for each in self.derivedFrom(base)]
        if not found:
            return ""
        more = f" and {len(found) - 8} others" if len(found) > 8 else ""
        return f" (the headers have {', '.join(found[:8])}{more})"

    def derivedFrom(self, base):
        classes = (self.cursors.CLASS_DECL, self.cursors.STRUCT_DECL)
        waiting = [] if self.unit is None else [self.unit.cursor]
        found = []
        while waiting:
            for cursor in waiting.pop().get_children():
                inner = classes + (self.cursors.NAMESPACE,)
                if cursor.kind not in inner or cursor.spelling == "std" or cursor.spelling.startswith("__"):
                    continue
                waiting.append(cursor)
                if cursor.kind in classes and cursor.is_definition() and not cursor.is_abstract_record():
                    type_ = cursor.type.get_canonical()
                    if self.classFields.isDerived(type_, base) and type_ not in found:
                        found.append(type_)
        return sorted(found, key=typeText)

    def hasVirtual(self, type_):
        methods = (self.cursors.CXX_METHOD, self.cursors.DESTRUCTOR)
        if any(child.kind in methods and child.is_virtual_method() for child in type_.get_declaration().get_children()):
            return True
        return any(self.hasVirtual(base) for base, _, _ in self.classFields.basesOf(type_))

    def whyNotWhole(self, type_, seen=()):
        """Returns the reason why values of the type do not travel without a view; None when they do."""
        kinds = self.kinds
        if type_ in seen or type_ in self.defaults:
            return None
        if type_.kind in (kinds.CONSTANTARRAY,):
            return self.whyNotWhole(type_.element_type.get_canonical(), seen)
        if type_.kind == kinds.ENUM or kinds.BOOL.value <= type_.kind.value <= kinds.DOUBLE.value:
            unsupported = (kinds.UINT128, kinds.INT128)
            return None if type_.kind not in unsupported else f"{type_.spelling} does not travel"
        if type_.kind == kinds.MEMBERPOINTER or type_.kind == kinds.POINTER and self.isFunction(type_.get_pointee().get_canonical()):
            return f"{typeText(type_)} is an address of the program, which differs from process to process"
        if type_.kind != kinds.RECORD:
            return f"{typeText(type_)} does not travel"
        return self.whyClassIsNotWhole(type_, (*seen, type_))

    def whyClassIsNotWhole(self, type_, seen):
        name = self.name(type_)
        if name in PLAIN:
            return None
        if name in SEQUENCES + HOLDERS + VALUES:
            count = 1 if name in SEQUENCES + HOLDERS + LISTS + ("std::weak_ptr", "std::complex", "std::atomic") else type_.get_num_template_arguments()
            if name in ADAPTERS:
                count = 2    # the element and the container
            if name in KEYED:
                count = 2 if name.endswith("map") else 1
            arguments = [self.argument(type_, i) for i in range(count)]
            if name in SMART_POINTERS + ("std::weak_ptr",):
                if arguments[0].kind == self.kinds.INCOMPLETEARRAY:
                    return "its length is not known"
                if self.isPolymorphic(arguments[0]) and not self.isFerryClass(arguments[0]):
                    return f"behind the pointer may be a class derived from {arguments[0].spelling}"
            return next((why for why in (self.whyNotWhole(each, seen) for each in arguments) if why is not None), None)
        if name.startswith("std::"):
            return f"{typeText(type_)} does not travel"
        if self.isFerryClass(type_):
            return None
        return self.whyNotAggregate(type_, seen)

    def isFerryClass(self, type_):
        """Whether the class itself defines what travels: with FERRY_FIELDS, or with its own functions."""
        names = {child.spelling for child in type_.get_declaration().get_children()}
        return "writeToInts" in names or any(self.isFerryClass(base) for base, _, _ in self.classFields.basesOf(type_))

    def whyNotAggregate(self, type_, seen):
        """A plain struct travels whole: public fields, no base class, no constructor, no C array."""
        declaration = type_.get_declaration()
        if declaration.kind == self.cursors.UNION_DECL:
            return f"nobody knows which alternative of the union {typeText(type_)} is live"
        own = list(type_.get_fields())
        isPlain = (not self.classFields.basesOf(type_) and not self.hasVirtual(type_) and len(own) <= 32
                   and not any(child.kind == self.cursors.CONSTRUCTOR for child in declaration.get_children())
                   and all(each.spelling and not each.is_bitfield() and self.classFields.accessOf(each) == "public"
                           and each.type.get_canonical().kind not in (self.kinds.CONSTANTARRAY, self.kinds.LVALUEREFERENCE)
                           for each in own))
        if not isPlain:
            return f"{typeText(type_)} does not say what of it travels"
        return next((why for why in (self.whyNotWhole(each.type.get_canonical(), seen) for each in own) if why is not None), None)
