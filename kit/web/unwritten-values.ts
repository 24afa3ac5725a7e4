/**
 * A page that ends takes the writes with it that its database has not finished: what was typed in the last
 * moment would be lost. It is put aside at once where the same window finds it when it opens again.
 */
const storageKey = 'anju.unwritten'

/** More is a list of pictures or rows, which are written as they come. */
const maxTextLength = 500_000

/** Whether JSON keeps the value whole: not a file, a date or another object of a class. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isPlain)
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain)
}

/** Puts values aside by their keys; `undefined` stands for one that was deleted. */
export function keepUnwritten(values: ReadonlyMap<string, unknown>): void {
  const entries = [...values].filter(([, value]) => isPlain(value))
  const text = JSON.stringify(entries.map(([key, value]) => (value === undefined ? [key] : [key, value])))
  if (!entries.length || text.length > maxTextLength) return
  try {
    sessionStorage.setItem(storageKey, text)
  } catch {
    /* full or forbidden */
  }
}

/** What was put aside, once. */
export function takeUnwritten(): readonly (readonly [key: string, value: unknown])[] {
  try {
    const text = sessionStorage.getItem(storageKey)
    sessionStorage.removeItem(storageKey)
    const entries: readonly (readonly [string, unknown?])[] = text ? JSON.parse(text) : []
    return entries.map(([key, value]) => [key, value])
  } catch {
    return []
  }
}
