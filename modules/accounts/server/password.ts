import crypto from 'node:crypto'
import { Refused, code } from '#kit/contract/wire.ts'

/**
 * argon2id, 32 MiB, three passes: about 60 ms of one core. The numbers travel in the hash, so they may be
 * raised later.
 */
const cost = { memory: 32_768, passes: 3, parallelism: 1, tagLength: 32 } as const

type Cost = {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly tagLength: number
}

// Each hash holds its memory: four at a time bound it to 128 MiB, a short queue bounds the wait.
const atOnce = 4
const queueLength = 200
let running = 0
const waiting: (() => void)[] = []

async function turn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= queueLength) throw new Refused(code.often, '登录人数过多，请稍后再试')
    await new Promise<void>(go => waiting.push(go))
  } else {
    running++
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) {
      next()
    } else {
      running--
    }
  }
}

const derive = (message: string, nonce: Uint8Array, c: Cost): Promise<Buffer> =>
  turn(
    () =>
      new Promise((done, fail) => {
        crypto.argon2('argon2id', { message, nonce, ...c }, (e, key) =>
          e ? fail(e) : done(Buffer.from(key)),
        )
      }),
  )

const b64 = (b: Uint8Array): string => Buffer.from(b).toString('base64').replace(/=+$/, '')

/** A password as it is kept: a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.randomBytes(16)
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${b64(salt)}$${b64(await derive(password, salt, cost))}`
}

const shape = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** Nobody's password, of the present cost: an unknown account costs what a known one does. */
const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${b64(Buffer.alloc(16, 7))}$${b64(Buffer.alloc(32))}`

/** Whether a password is the kept one. Without a kept one the same work is done and the answer is no. */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const [, m, t, p, salt, tag] = shape.exec(kept ?? nobody) ?? shape.exec(nobody)!
  const is = Buffer.from(tag!, 'base64')
  const said = await derive(password, Buffer.from(salt!, 'base64'), {
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    tagLength: is.length,
  })
  return crypto.timingSafeEqual(said, is) && kept !== undefined
}

/** A hash made when hashing was cheaper: worth making anew now that the password is at hand. */
export const isCheap = (kept: string): boolean =>
  !kept.startsWith(`$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`)
