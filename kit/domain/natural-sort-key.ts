/**
 * A text whose order is the one people expect: digits padded to six, letters small (`B2` before `B10`). For a
 * sort column in the order of bytes.
 */
export const naturalSortKey = (s: string): string =>
  s
    .trim()
    .toLowerCase()
    .replace(/\d+/g, d => d.padStart(6, '0'))
