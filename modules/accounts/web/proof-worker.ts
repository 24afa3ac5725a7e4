import { scrypt } from '@noble/hashes/scrypt.js'
import { solveChallenge } from 'altcha-lib'
import type { Challenge, DeriveKeyFunction } from 'altcha-lib/types'

/** scrypt in plain JavaScript: the browser has it neither built in, nor any `crypto.subtle` without TLS. */
const deriveKey: DeriveKeyFunction = async (
  { cost, memoryCost = 8, parallelism = 1, keyLength },
  salt,
  password,
) => ({
  derivedKey: scrypt(password, salt, { N: cost, r: memoryCost, p: parallelism, dkLen: keyLength ?? 32 }),
})

addEventListener('message', (event: MessageEvent<string>) => {
  const challenge: Challenge = JSON.parse(event.data)
  void solveChallenge({ challenge, deriveKey }).then(solution =>
    postMessage(solution && JSON.stringify({ challenge, solution })),
  )
})
