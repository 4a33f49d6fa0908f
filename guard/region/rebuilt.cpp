#include <ferry/guard/region/rebuilt.hpp>

#include <ferry/connector/exception/PackedException.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry::pmpi {

std::exception_ptr rebuilt(const detail::LastThrow& thrown, const std::vector<detail::ContextEntry>& remarks) {
    detail::ExceptionLink link;
    link.form = detail::ExceptionLink::Form::Foreign;    // a class that the Translator does not know becomes an UnknownException
    link.name = thrown.typeName;
    link.typeName = thrown.typeName;
    link.text = !thrown.story.empty() ? thrown.story : thrown.text.empty() ? "an exception of type " + thrown.typeName : thrown.text;
    link.origin = detail::readableOrigin(thrown.record->origin, *thrown.record);
    link.origin.context.insert(link.origin.context.end(), remarks.begin(), remarks.end());
    IntBuffer buffer;
    IntWriter out(buffer);
    out << std::vector<detail::ExceptionLink>{link};
    out.finish();
    buffer.makeOwned();
    IntReader in(buffer.ints(), ObjectFactory::global());
    detail::PackedException packed;
    packed.readFromInts(in);
    return packed.rebuild();
}

}    // namespace ferry::pmpi
