/** For what a payment is, in a few words: each object once, beyond two the first and how many there are. */
export function describeSources(sourceNames: readonly string[]): string {
  const names = [...new Set(sourceNames)]
  return (names.length > 2 ? `${names[0]} 等 ${names.length} 个` : names.join('、')).slice(0, 100)
}
