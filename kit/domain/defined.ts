/**
 * A value that cannot be missing here, although its type allows it: an element at a checked index, a key that
 * was just set. Throws TypeError when it is missing after all, so that the fault shows at its place.
 */
export function defined<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new TypeError('value is missing')
  return value
}
