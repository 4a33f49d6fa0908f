#pragma once

/// Everything that a program with jobs, messages and remote exceptions needs.
