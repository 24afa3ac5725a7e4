/** The keys of a record that is written out in the code: it has no others. */
export function keysOfRecord<T extends object>(of: T): Extract<keyof T, string>[] {
  const keys: Extract<keyof T, string>[] = []
  for (const key in of) {
    if (Object.hasOwn(of, key)) {
      keys.push(key)
    }
  }
  return keys
}
