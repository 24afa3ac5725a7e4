import { readStored } from '#kit/web/browser-store.ts'
import type { CaptchaImage } from './public.captcha.ts'

/** Kept after a sign-in: what strangers do at the account does not hold this browser up (PERM-9). */
export const getDeviceKey = (account: string): string => `known-device/${account.trim().toLowerCase()}`

export function deviceInput(account: string): { device?: string } {
  const device = readStored(getDeviceKey(account), '')
  return device ? { device } : {}
}

/** The letters and the solved task; a browser that cannot solve it signs in by the letters alone. */
export async function captchaInput(
  picture: CaptchaImage,
  letters: string,
): Promise<{ captcha: string; captchaKey: string; proof?: string }> {
  const proof = await picture.proof.catch(() => undefined)
  return { captcha: letters.trim(), captchaKey: picture.key, ...(proof ? { proof } : {}) }
}
