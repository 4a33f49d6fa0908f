// Every door in a source of nvcc.
#include <ferry/boost.hpp>
#include <ferry/connector.hpp>
#include <ferry/device.hpp>
#include <ferry/ferry.hpp>
#include <ferry/guarded.hpp>
#include <ferry/jobs.hpp>
#include <ferry/mpi.hpp>
#include <ferry/objects.hpp>
#include <ferry/remoteDevice.hpp>
#include <ferry/simulate.hpp>
