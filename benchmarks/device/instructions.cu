// Kernels whose instructions benchmarks/device/instructions.py counts, as tables 3 and 4 of the paper do. The structures are those of
// Scenarios.hpp.

struct Linear {
    int arrayCount;
    int nextCount;
    double* array;
    Linear* next;
};

template <int Depth>
struct Dense {
    int arrayCount;
    int childCount;
    double* array;
    Dense<Depth - 1>* children;
};
template <>
struct Dense<0> {
    int arrayCount;
    double* array;
};

template <int K>
struct Chains {
    double* arrays[K];
};

__device__ inline int item() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

// The last array of a chain of K levels, through the structure, and by its address.
template <int K>
__global__ void lastThroughStructure(Linear* root) {
    Linear* node = root;
#pragma unroll
    for (int level = 1; level < K; ++level) node = node->next;
    node->array[item()] *= 1.5;
}
template <int K>
__global__ void lastByAddress(double* array) {
    array[item()] *= 1.5;
}

// All arrays.
template <int K>
__global__ void allThroughStructure(Linear* root) {
    Linear* node = root;
#pragma unroll
    for (int level = 0; level < K; ++level) {
        node->array[item()] *= 1.5;
        node = node->next;
    }
}
template <int K>
__global__ void allByAddress(Chains<K> chains) {
#pragma unroll
    for (int level = 0; level < K; ++level) chains.arrays[level][item()] *= 1.5;
}

// The arrays of the last structures of a dense tree.
__global__ void denseThroughStructure(Dense<3>* root) {
    root->array[item()] *= 1.5;
    Dense<2>& second = root->children[root->childCount - 1];
    second.array[item()] *= 1.5;
    Dense<1>& third = second.children[second.childCount - 1];
    third.array[item()] *= 1.5;
    third.children[third.childCount - 1].array[item()] *= 1.5;
}
__global__ void denseByAddress(Chains<4> chains) {
#pragma unroll
    for (int level = 0; level < 4; ++level) chains.arrays[level][item()] *= 1.5;
}

#define INSTANTIATE(k_)                                       \
    template __global__ void lastThroughStructure<k_>(Linear*); \
    template __global__ void lastByAddress<k_>(double*);      \
    template __global__ void allThroughStructure<k_>(Linear*); \
    template __global__ void allByAddress<k_>(Chains<k_>);
INSTANTIATE(2)
INSTANTIATE(3)
INSTANTIATE(4)
INSTANTIATE(5)
INSTANTIATE(6)
INSTANTIATE(7)
INSTANTIATE(8)
INSTANTIATE(9)
INSTANTIATE(10)
