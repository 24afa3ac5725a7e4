import type { Id } from '#kit/domain/id.ts'
import { createHash, randomBytes } from 'node:crypto'
import { generateSecret, generateURI, ScureBase32Plugin, verifySync } from 'otplib'
import { sql, type Database, type Tx } from '#kit/server/db.ts'

const stepSeconds = 30
const issuer = '安居'
const base32 = new ScureBase32Plugin()

/** A new key for an authenticator app: 20 random bytes as 32 base32 characters. */
export const generateTotpSecret = (): string => generateSecret()

/** The `otpauth://` address that an authenticator app reads from a QR code. */
export const createAuthenticatorUri = (loginCode: string, secret: string): string =>
  generateURI({ issuer, label: loginCode, secret })

/**
 * The time step (RFC 6238: 30 s, SHA-1, six digits) that a code belongs to: the current one or a neighbour,
 * later than `lastUsedStep`, so that each code is good once. Undefined when it matches none.
 */
export function findMatchingStep(
  secret: string,
  code: string,
  nowMs: number,
  lastUsedStep: number,
): number | undefined {
  const token = code.trim()
  const epoch = Math.floor(nowMs / 1000)
  // otplib throws on a malformed code, and on a last step ahead of the clock (one that was set back).
  if (!/^\d{6}$/.test(token) || lastUsedStep > Math.floor(epoch / stepSeconds) + 1) return undefined
  const result = verifySync({
    secret,
    token,
    epoch,
    period: stepSeconds,
    epochTolerance: stepSeconds,
    afterTimeStep: lastUsedStep,
  })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

export const hashRecoveryCode = (code: string): string =>
  createHash('sha256').update(code.replaceAll('-', '').toUpperCase()).digest('hex')

/** Ten codes (`XXXX-XXXX-XXXX-XXXX`, 80 bits) for a lost phone, each good once. */
export const generateRecoveryCodes = (): string[] =>
  Array.from({ length: 10 }, () =>
    base32.encode(randomBytes(10), { padding: false }).replace(/(.{4})(?=.)/g, '$1-'),
  )

interface SecondFactor {
  readonly totp?: string
  readonly totpStep: number
  readonly recovery?: readonly string[]
}

export const loadSecondFactor = (
  db: Pick<Tx, 'one'>,
  ownerId: Id,
  managerId: Id,
  mode: 'read' | 'lock' = 'read',
): Promise<SecondFactor | undefined> =>
  db.one(
    sql`
      select totp, totp_step, recovery
      from manager_secret
      where owner_id = ${ownerId} and manager_id = ${managerId} ${mode === 'lock' ? sql`for update` : sql``}
    `,
  )

/**
 * Whether a TOTP code or a recovery code proves the second factor; either is used up by it. True where the
 * account has none.
 */
export const verifySecondFactor = (
  database: Database,
  ownerId: Id,
  managerId: Id,
  code: string,
  nowMs: number,
): Promise<boolean> =>
  database.tx(ownerId, async tx => {
    const factor = await loadSecondFactor(tx, ownerId, managerId, 'lock')
    if (!factor?.totp) return true
    const step = findMatchingStep(factor.totp, code, nowMs, factor.totpStep)
    if (step !== undefined) {
      const changed = await tx.execute(
        sql`
          update manager_secret
          set totp_step = ${step}
          where owner_id = ${ownerId} and manager_id = ${managerId}
        `,
      )
      return changed > 0
    }
    const hash = hashRecoveryCode(code)
    if (!factor.recovery?.includes(hash)) return false
    const changed = await tx.execute(
      sql`
        update manager_secret
        set recovery = array_remove(recovery, ${hash})
        where owner_id = ${ownerId} and manager_id = ${managerId}
      `,
    )
    return changed > 0
  })
