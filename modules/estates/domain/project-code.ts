const digitCount = 6

/**
 * A free project code to propose: the prefix and the next number, `XM000001`. 8 letters or digits where the
 * prefix has two (BASE-1); `existing` are the codes of the company.
 */
export function nextProjectCode(prefix: string, existing: readonly string[]): string {
  const used = new Set(existing.map(code => code.toUpperCase()))
  const width = Math.max(digitCount, 8 - prefix.length)
  for (let n = existing.length + 1; ; n++) {
    const code = `${prefix}${String(n).padStart(width, '0')}`
    if (!used.has(code)) return code
  }
}
