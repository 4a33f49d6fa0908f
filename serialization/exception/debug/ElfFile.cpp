#include <ferry/serialization/exception/debug/ElfFile.hpp>

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>

namespace ferry::detail {

using Header = ElfW(Ehdr);
using SectionHeader = ElfW(Shdr);
using Symbol = ElfW(Sym);

struct ElfFile::Mapping {
    void* address = MAP_FAILED;
    std::size_t byteCount = 0;

    explicit Mapping(const std::string& path) noexcept {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) return;
        struct stat status {};
        if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
            byteCount = static_cast<std::size_t>(status.st_size);
            address = ::mmap(nullptr, byteCount, PROT_READ, MAP_PRIVATE, file, 0);
        }
        ::close(file);
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping() {
        if (address != MAP_FAILED) ::munmap(address, byteCount);
    }

    Bytes bytes() const noexcept { return address == MAP_FAILED ? Bytes() : Bytes(static_cast<const std::uint8_t*>(address), byteCount); }
};

ElfFile::ElfFile(const std::string& path) : mapping_(std::make_shared<const Mapping>(path)), bytes_(mapping_->bytes()) {
    DwarfReader in(bytes_);
    const auto header = in.fixed<Header>();
    constexpr auto ownClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
    constexpr auto ownOrder = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    if (!in.isGood() || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return;
    if (header.e_ident[EI_CLASS] != ownClass || header.e_ident[EI_DATA] != ownOrder) return;
    if (header.e_shoff == 0 || header.e_shentsize != sizeof(SectionHeader)) return;
    headers_ = header.e_shoff;
    sectionCount_ = header.e_shnum;
    std::size_t ofNames = header.e_shstrndx;
    if (sectionCount_ == 0 || ofNames == SHN_XINDEX) {    // more sections than the header has digits for
        DwarfReader first(bytes_, headers_);
        const auto zeroth = first.fixed<SectionHeader>();
        if (sectionCount_ == 0) sectionCount_ = static_cast<std::size_t>(zeroth.sh_size);
        if (ofNames == SHN_XINDEX) ofNames = zeroth.sh_link;
    }
    const std::uint64_t bytesLeft = bytes_.size() - std::min<std::uint64_t>(headers_, bytes_.size());    // the file may end with the list
    if (sectionCount_ > bytesLeft / sizeof(SectionHeader)) sectionCount_ = 0;
    if (ofNames < sectionCount_) names_ = sectionAt(ofNames).bytes;
}

std::shared_ptr<const ElfFile> ElfFile::open(const std::string& path) {
    auto file = std::make_shared<const ElfFile>(path);
    return file->names_.empty() ? nullptr : file;
}

ElfFile::Section ElfFile::sectionAt(std::size_t index) const {
    Section section;
    DwarfReader in(bytes_, headers_ + index * sizeof(SectionHeader));
    const auto header = in.fixed<SectionHeader>();
    if (!in.isGood() || header.sh_type == SHT_NOBITS || header.sh_type == SHT_NULL) return section;
    DwarfReader contents(bytes_, header.sh_offset);
    section.bytes = contents.take(header.sh_size);
    section.isThere = contents.isGood();
    section.isCompressed = (header.sh_flags & SHF_COMPRESSED) != 0;
    if (!names_.empty()) section.name = DwarfReader(names_, header.sh_name).text();
    return section;
}

ElfFile::Section ElfFile::find(std::string_view name) const {
    for (std::size_t index = 1; index < sectionCount_; ++index) {
        const Section section = sectionAt(index);
        if (section.isThere && section.name == name) return section;
    }
    return {};
}

ElfFile::Bytes ElfFile::section(std::string_view name) const {
    const Section found = find(name);
    return found.isCompressed ? Bytes() : found.bytes;
}

bool ElfFile::hasSection(std::string_view name) const { return find(name).isThere; }

void ElfFile::visitFunctions(const std::function<void(std::uint64_t, std::uint64_t, std::string_view)>& visit) const {
    const bool isStripped = section(".symtab").empty();
    DwarfReader in(section(isStripped ? ".dynsym" : ".symtab"));
    const Bytes names = section(isStripped ? ".dynstr" : ".strtab");
    while (in.rest().size() >= sizeof(Symbol)) {
        const auto symbol = in.fixed<Symbol>();
        if ((symbol.st_info & 0xf) != STT_FUNC || symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0) continue;
        visit(symbol.st_value, symbol.st_size, DwarfReader(names, symbol.st_name).text());
    }
}

}    // namespace ferry::detail
