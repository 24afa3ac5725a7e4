import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/scrypt'
import type { Challenge, Solution } from 'altcha-lib/types'
import type { App } from '#kit/server/app.ts'
import { installationSecretOf } from '#kit/server/installation-secret.ts'

type DatabaseApp = Pick<App, 'database'>

/**
 * What costs a browser some tenths of a second, also an old one, and a program that wants thousands of codes
 * as much for each: find a counter whose scrypt key (N 256, r 8: 256 KB) begins with the prefix, in 256
 * tries on average.
 */
const taskParameters = {
  algorithm: 'SCRYPT',
  cost: 256,
  memoryCost: 8,
  parallelism: 1,
  keyLength: 32,
  keyPrefix: '00',
} as const

const secretName = 'proof-secret'

/** A task for the browser, signed and bound to one captcha: it is used up with it. */
export async function issueChallenge(app: DatabaseApp, captchaKey: string): Promise<string> {
  const challenge = await createChallenge({
    ...taskParameters,
    deriveKey,
    hmacSignatureSecret: await installationSecretOf(app.database, secretName),
    data: { captchaKey },
  })
  return JSON.stringify(challenge)
}

interface Proof {
  readonly challenge: Challenge
  readonly solution: Solution
}

function parseProof(text: string): Proof | undefined {
  try {
    const proof: Partial<Proof> | null = JSON.parse(text)
    const { challenge, solution } = proof ?? {}
    return challenge?.parameters && solution ? { challenge, solution } : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether the text is the solved task of this captcha. Its signature is checked before anything is computed;
 * the one derivation then costs what one of the browser's tries did.
 */
export async function isProofValid(
  app: DatabaseApp,
  captchaKey: string,
  text: string | undefined,
): Promise<boolean> {
  const proof = parseProof(text ?? '')
  if (proof?.challenge.parameters.data?.captchaKey !== captchaKey) return false
  const { verified } = await verifySolution({
    ...proof,
    deriveKey,
    hmacSignatureSecret: await installationSecretOf(app.database, secretName),
  })
  return verified
}
