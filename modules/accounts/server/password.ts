import crypto from 'node:crypto'
import { Refused, resultCode } from '#kit/contract/wire.ts'

/**
 * argon2id, 32 MiB, three passes: about 60 ms of one core. The numbers are part of each hash, so they may be
 * raised later.
 */
const hashCost = { memory: 32_768, passes: 3, parallelism: 1, tagLength: 32 } as const

const hashPrefix = `$argon2id$v=19$m=${hashCost.memory},t=${hashCost.passes},p=${hashCost.parallelism}$`

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
    await new Promise<void>(resume => queuedHashes.push(resume))
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

const deriveKey = (message: string, nonce: Uint8Array, cost: HashCost): Promise<Buffer> =>
  withHashSlot(
    () =>
      new Promise((resolve, reject) => {
        crypto.argon2('argon2id', { message, nonce, ...cost }, (err, key) =>
          err ? reject(err) : resolve(Buffer.from(key)),
        )
      }),
  )

const toBase64 = (b: Uint8Array): string => Buffer.from(b).toString('base64').replace(/=+$/, '')

/** A password as it is stored: a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.randomBytes(16)
  return `${hashPrefix}${toBase64(salt)}$${toBase64(await deriveKey(password, salt, hashCost))}`
}

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** Matches no password, at today's cost: an unknown account costs what a known one does. */
const dummyHash = `${hashPrefix}${toBase64(Buffer.alloc(16, 7))}$${toBase64(Buffer.alloc(32))}`

interface ParsedHash {
  readonly salt: Buffer
  readonly tag: Buffer
  readonly cost: HashCost
}

function parseHash(phc: string): ParsedHash | undefined {
  const [, memory, passes, parallelism, salt = '', tag = ''] = phcPattern.exec(phc) ?? []
  if (memory === undefined) return undefined
  const tagBytes = Buffer.from(tag, 'base64')
  return {
    salt: Buffer.from(salt, 'base64'),
    tag: tagBytes,
    cost: {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: tagBytes.length,
    },
  }
}

/**
 * Whether a password matches its stored hash. Without one, or with one that is not readable, the same work is
 * done and the answer is no.
 */
export async function verifyPassword(password: string, storedHash: string | undefined): Promise<boolean> {
  const parsed = parseHash(storedHash ?? dummyHash) ?? parseHash(dummyHash)
  if (!parsed) throw new Error('the dummy hash is no PHC string')
  const key = await deriveKey(password, parsed.salt, parsed.cost)
  return crypto.timingSafeEqual(key, parsed.tag) && storedHash !== undefined
}

/** Whether a hash was made at another cost than today's: the password is rehashed while it is at hand. */
export const needsRehash = (storedHash: string): boolean => !storedHash.startsWith(hashPrefix)
