/**
 * Full-width letters, digits, punctuation and spaces → half-width. Chinese punctuation outside that block
 * (。、“”) stays.
 */
export const toHalfWidth = (text: string): string =>
  text
    .replace(/[\uff01-\uff5e]/g, c => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ')
