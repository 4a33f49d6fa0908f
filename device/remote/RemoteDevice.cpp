#include <ferry/device/remote/RemoteDevice.hpp>
