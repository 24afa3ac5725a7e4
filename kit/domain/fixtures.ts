/**
 * A value that the types refuse, for tests of what a program does with it all the same: it may come over the
 * wire or out of old rows.
 */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where a test lies about a type
export const castForTest = <T>(value: unknown): T => value as T
