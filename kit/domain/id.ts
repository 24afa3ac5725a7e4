/**
 * The number of a stored record. The compiler refuses a plain number: ids come from the database, from the
 * wire and from `asId`. 0 stands for a record that is still to be made (G-2).
 */
export type Id = 0 | (number & { readonly unit: 'id' })

/** A number as an id. Throws RangeError when it is no whole number from 0 to 2^53. */
export function asId(n: number): Id {
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError('编号应为非负整数')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where a number becomes an id
  return n as Id
}

/** An id as it arrives in lists and addresses: digits. 0, which no record has, for anything else. */
export function parseId(value: unknown): Id {
  const n = typeof value === 'string' || typeof value === 'number' ? Number(value) : 0
  return Number.isSafeInteger(n) && n > 0 ? asId(n) : 0
}
