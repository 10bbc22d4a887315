#!/usr/bin/env node
// The command under the path that it had first, for scripts that name it. `grus.cjs` starts faster.
import './grus.cjs';
