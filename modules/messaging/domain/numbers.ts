const separators = /[,，、;；\n\r\t]+/

/** A number as people write it: with a country code, blanks or hyphens, in full-width digits. */
export const plainNumber = (text: string): string =>
  text.replaceAll(/[\s-]/g, '').replace(/^(?:\+|00)?86(?=1\d{10}$)/, '')

export const isMobile = (text: string): boolean => /^1[3-9]\d{9}$/.test(text)

/** The numbers of a pasted text, each once; what is none stays as it is, to be shown. */
export function parseNumbers(text: string): string[] {
  const parts = text.normalize('NFKC').split(separators)
  const numbers = parts.flatMap(part => {
    const whole = plainNumber(part)
    return isMobile(whole) ? [whole] : part.split(/\s+/).map(plainNumber)
  })
  return [...new Set(numbers.filter(Boolean))]
}
