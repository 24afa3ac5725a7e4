/** The keys of a record that is written out in the code: it has no others. */
export function keysOfRecord<T extends object>(record: T): Extract<keyof T, string>[] {
  const keys: Extract<keyof T, string>[] = []
  for (const key in record) {
    if (Object.hasOwn(record, key)) {
      keys.push(key)
    }
  }
  return keys
}

/** A record with a value for every key; no type says that a loop has met them all. */
export function recordFromKeys<K extends string, V>(
  keys: readonly K[],
  makeValue: (key: K) => V,
): Record<K, V> {
  const entries = keys.map(key => [key, makeValue(key)] as const)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every key has just been given its value
  return Object.fromEntries(entries) as Record<K, V>
}

/** Maps the values of a record; the keys stay. */
export const mapRecord = <K extends string, V, W>(
  record: Readonly<Record<K, V>>,
  makeValue: (value: V, key: K) => W,
): Record<K, W> => recordFromKeys<K, W>(keysOfRecord(record), key => makeValue(record[key], key))

/** A copy with these keys alone, in their order; those without a value are left out. */
export function pickPresent<T extends object, K extends keyof T & string>(
  record: T,
  keys: readonly K[],
): Pick<T, K> {
  const entries = keys.map(key => [key, record[key]] as const)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what `of` leaves out is left out
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null)) as Pick<
    T,
    K
  >
}

/** A copy without these keys. */
export function omitKeys<T extends object, K extends keyof T & string>(
  record: T,
  keys: readonly K[],
): Omit<T, K> {
  const omitted: ReadonlySet<string> = new Set(keys)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the entries of `of`, less those keys
  return Object.fromEntries(Object.entries(record).filter(([key]) => !omitted.has(key))) as Omit<T, K>
}
