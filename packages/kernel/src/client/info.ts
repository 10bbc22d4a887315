// Reads the kernel's description of itself, and refuses kernels of other languages.
import { GrusError } from '@grus/core';
import type { Kernel, KernelInfo } from '../kernel.js';
import type { Content } from '../protocol/message.js';

export function readKernelInfo(raw: Content): KernelInfo {
  const language = (raw['language_info'] ?? {}) as { name?: unknown; version?: unknown };
  const features = Array.isArray(raw['supported_features']) ? raw['supported_features'] : [];
  return {
    language: String(language.name ?? 'unknown').toLowerCase(),
    languageVersion: String(language.version ?? ''),
    implementation: String(raw['implementation'] ?? 'unknown'),
    implementationVersion: String(raw['implementation_version'] ?? ''),
    protocolVersion: String(raw['protocol_version'] ?? ''),
    subshells: features.includes('kernel subshells'),
    raw,
  };
}

/** Throws unless the kernel speaks Python. */
export function requirePython(kernel: Kernel): void {
  if (kernel.info.language !== 'python') {
    throw new GrusError(`${kernel.label} runs ${kernel.info.language}, and Grus understands only Python`, {
      advice: 'Choose a Python kernel, for instance with --python or --kernel-name python3.',
    });
  }
}
