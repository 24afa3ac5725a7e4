/** Which files are offered to be pushed as what, by their name (0§2, RMT-4); the server asks the same. */
export const isKernelName = (name: string): boolean => /\.kernel/i.test(name)

export const isPackageName = (name: string): boolean => /\.zip/i.test(name)
