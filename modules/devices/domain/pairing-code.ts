/** Without letters and digits that look alike: 32^8 codes, a trillion. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const length = 8

export const pairingCodeMinutes = 10

/** A code from random bytes: 32 letters, so that each byte's low five bits give one without bias. */
export const pairingCodeOf = (random: Uint8Array): string =>
  [...random.subarray(0, length)].map(byte => alphabet[byte % alphabet.length]).join('')

/** `abcd-2345` as it is typed or read aloud; nothing where it is no code. */
export function readPairingCode(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, '').toUpperCase()
  return code.length === length && [...code].every(letter => alphabet.includes(letter)) ? code : undefined
}
