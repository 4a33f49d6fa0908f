# All that Ferry needs comes from the packages of Debian 12 (tools/debianPackages.txt): nothing is downloaded.
[settings]
os=Linux
arch=x86_64
compiler=gcc
compiler.version=12
compiler.libcxx=libstdc++11
compiler.cppstd=20
build_type=Release

[platform_requires]
boost/1.81.0
fmt/9.1.0
spdlog/1.10.0
xxhash/0.8.1
nlohmann_json/3.11.2
cli11/2.1.2
openmpi/4.1.4
