/**
 * A number without its thousands separators; nothing where they do not stand every three digits: `1,00` may
 * be meant as 1.00. Whether the rest is a number is for the caller to say.
 */
export function withoutSeparators(text: string): string | undefined {
  if (!text.includes(',')) return text
  return /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(text) ? text.replaceAll(',', '') : undefined
}
