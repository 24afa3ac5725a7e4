import { generateSync } from 'otplib'
import { describe, expect, it } from 'vitest'
import {
  createAuthenticatorUri,
  findMatchingStep,
  generateRecoveryCodes,
  generateTotpSecret,
  hashRecoveryCode,
} from './totp.ts'

/** The key of RFC 6238's test vectors, `12345678901234567890` in base32. */
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('TOTP codes', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
  ])('RFC 6238: at %s s the code is %s', (seconds, code) =>
    expect(findMatchingStep(rfcSecret, code, seconds * 1000, 0)).toBe(Math.floor(seconds / 30)),
  )

  it('accepts the step before and after the current one, and no other', () => {
    const code = generateSync({ secret: rfcSecret, epoch: 1_000_000 })
    const step = Math.floor(1_000_000 / 30)
    const matches = (seconds: number) => findMatchingStep(rfcSecret, code, seconds * 1000, 0)
    expect([999_959, 999_960, 1_000_000, 1_000_049, 1_000_050].map(matches)).toEqual([
      undefined,
      step,
      step,
      step,
      undefined,
    ])
  })

  it('accepts a code once: not again after its own step, or a later one, was used', () => {
    const code = generateSync({ secret: rfcSecret, epoch: 1_000_000 })
    const step = Math.floor(1_000_000 / 30)
    const afterStep = (lastUsedStep: number) => findMatchingStep(rfcSecret, code, 1_000_000_000, lastUsedStep)
    expect([step - 1, step, step + 1].map(afterStep)).toEqual([step, undefined, undefined])
  })

  it('matches nothing when the last used step is ahead of the clock', () =>
    expect(findMatchingStep(rfcSecret, '287082', 59_000, 1_000_000)).toBeUndefined())

  it.each(['', '28708', '2870820', 'abcdef', '２８７０８２', '28708 2'])(
    'matches nothing for the malformed code "%s"',
    code => expect(findMatchingStep(rfcSecret, code, 59_000, 0)).toBeUndefined(),
  )

  it('ignores blanks around a code', () => expect(findMatchingStep(rfcSecret, ' 287082 ', 59_000, 0)).toBe(1))
})

it('a new key has 160 bits in base32, and its address names issuer and account', () => {
  const secret = generateTotpSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  const uri = new URL(createAuthenticatorUri('boss@anju', secret))
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/安居:boss@anju',
  ])
  expect([uri.searchParams.get('secret'), uri.searchParams.get('issuer')]).toEqual([secret, '安居'])
})

it('recovery codes are ten different ones, compared without regard to case and hyphens', () => {
  const codes = generateRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/)
  }
  expect(hashRecoveryCode('abcd-efgh-2345-6723')).toBe(hashRecoveryCode('ABCDEFGH23456723'))
})
