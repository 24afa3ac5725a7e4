import { createHash, createHmac, randomBytes } from 'node:crypto'
import { sql, type Database, type Tx } from '#kit/server/db.ts'

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function encodeBase32(bytes: Uint8Array): string {
  let bits = 0
  let held = 0
  let out = ''
  for (const b of bytes) {
    held = (held << 8) | b
    bits += 8
    while (bits >= 5) {
      bits -= 5
      out += base32Alphabet[(held >> bits) & 31]
    }
    held &= (1 << bits) - 1
  }
  return bits ? out + base32Alphabet[(held << (5 - bits)) & 31] : out
}

function decodeBase32(text: string): Buffer {
  let bits = 0
  let held = 0
  const out: number[] = []
  for (const c of text) {
    held = (held << 5) | base32Alphabet.indexOf(c)
    bits += 5
    if (bits >= 8) {
      bits -= 8
      out.push((held >> bits) & 255)
      held &= (1 << bits) - 1
    }
  }
  return Buffer.from(out)
}

export const generateTotpSecret = (): string => encodeBase32(randomBytes(20))
export const getTotpStep = (ms: number): number => Math.floor(ms / 30_000)

/** The six digits of a step of 30 s (RFC 6238, SHA-1). */
export function generateTotp(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const h = createHmac('sha1', decodeBase32(secret)).update(counter).digest()
  const at = h[19]! & 15
  return String((h.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/**
 * The step within half a minute either way whose code was said, later than the last used one; nothing when
 * none.
 */
export function findMatchingStep(
  secret: string,
  said: string,
  now: number,
  last: number,
): number | undefined {
  const mid = getTotpStep(now)
  return [mid - 1, mid, mid + 1].find(s => s > last && generateTotp(secret, s) === said.trim())
}

export const hashRecoveryCode = (code: string): string =>
  createHash('sha256').update(code.replaceAll('-', '').toUpperCase()).digest('hex')

/** Ten codes for the day the phone is lost, each good once. */
export const generateRecoveryCodes = (): string[] =>
  Array.from({ length: 10 }, () =>
    encodeBase32(randomBytes(10)).replace(/^(.{4})(.{4})(.{4})(.{4})$/, '$1-$2-$3-$4'),
  )

export interface SecondFactor {
  readonly totp?: string
  readonly totpStep: number
  readonly recovery?: readonly string[]
}

export const loadSecondFactor = (
  db: Pick<Tx, 'one'>,
  owner: number,
  manager: number,
  lock: 'lock' | 'look' = 'look',
): Promise<SecondFactor | undefined> =>
  db.one(
    sql`
      select totp, totp_step, recovery
      from manager_secret
      where owner_id = ${owner} and manager_id = ${manager} ${lock === 'lock' ? sql`for update` : sql``}
    `,
  )

/** Whether a code or a recovery code proves the second factor; either is used up. True where none is set. */
export const verifySecondFactor = (
  database: Database,
  owner: number,
  manager: number,
  said: string,
  now: number,
): Promise<boolean> =>
  database.tx(owner, async tx => {
    const f = await loadSecondFactor(tx, owner, manager, 'lock')
    if (!f?.totp) return true
    const step = /^\d{6}$/.test(said.trim()) ? findMatchingStep(f.totp, said, now, f.totpStep) : undefined
    if (step !== undefined)
      return (
        (await tx.execute(
          sql`
            update manager_secret
            set totp_step = ${step}
            where owner_id = ${owner} and manager_id = ${manager}
          `,
        )) > 0
      )
    const hash = hashRecoveryCode(said)
    if (!f.recovery?.includes(hash)) return false
    return (
      (await tx.execute(
        sql`
          update manager_secret
          set recovery = array_remove(recovery, ${hash})
          where owner_id = ${owner} and manager_id = ${manager}
        `,
      )) > 0
    )
  })
