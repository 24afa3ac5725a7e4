import crypto from 'node:crypto'
import { Refused, resultCode } from '#kit/contract/wire.ts'

/**
 * argon2id, 32 MiB, three passes: about 60 ms of one core. The numbers travel in the hash, so they may be
 * raised later.
 */
const hashCost = { memory: 32_768, passes: 3, parallelism: 1, tagLength: 32 } as const

type HashCost = {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly tagLength: number
}

// Each hash holds its memory: four at a time bound it to 128 MiB, a short queue bounds the wait.
const maxConcurrentHashes = 4
const maxQueuedHashes = 200
let runningHashes = 0
const queuedHashes: (() => void)[] = []

async function withHashSlot<T>(work: () => Promise<T>): Promise<T> {
  if (runningHashes >= maxConcurrentHashes) {
    if (queuedHashes.length >= maxQueuedHashes)
      throw new Refused(resultCode.rateLimited, '登录人数过多，请稍后再试')
    await new Promise<void>(go => queuedHashes.push(go))
  } else {
    runningHashes++
  }
  try {
    return await work()
  } finally {
    const next = queuedHashes.shift()
    if (next) {
      next()
    } else {
      runningHashes--
    }
  }
}

const deriveKey = (message: string, nonce: Uint8Array, c: HashCost): Promise<Buffer> =>
  withHashSlot(
    () =>
      new Promise((done, fail) => {
        crypto.argon2('argon2id', { message, nonce, ...c }, (e, key) =>
          e ? fail(e) : done(Buffer.from(key)),
        )
      }),
  )

const toBase64 = (b: Uint8Array): string => Buffer.from(b).toString('base64').replace(/=+$/, '')

/** A password as it is kept: a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.randomBytes(16)
  return `$argon2id$v=19$m=${hashCost.memory},t=${hashCost.passes},p=${hashCost.parallelism}$${toBase64(salt)}$${toBase64(await deriveKey(password, salt, hashCost))}`
}

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** Nobody's password, of the present cost: an unknown account costs what a known one does. */
const dummyHash = `$argon2id$v=19$m=${hashCost.memory},t=${hashCost.passes},p=${hashCost.parallelism}$${toBase64(Buffer.alloc(16, 7))}$${toBase64(Buffer.alloc(32))}`

/** Whether a password is the kept one. Without a kept one the same work is done and the answer is no. */
export async function verifyPassword(password: string, kept: string | undefined): Promise<boolean> {
  const [, m, t, p, salt, tag] = phcPattern.exec(kept ?? dummyHash) ?? phcPattern.exec(dummyHash)!
  const is = Buffer.from(tag!, 'base64')
  const said = await deriveKey(password, Buffer.from(salt!, 'base64'), {
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    tagLength: is.length,
  })
  return crypto.timingSafeEqual(said, is) && kept !== undefined
}

/** A hash made when hashing was cheaper: worth making anew now that the password is at hand. */
export const needsRehash = (kept: string): boolean =>
  !kept.startsWith(`$argon2id$v=19$m=${hashCost.memory},t=${hashCost.passes},p=${hashCost.parallelism}$`)
