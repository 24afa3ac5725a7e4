import { defined } from '#kit/domain/defined.ts'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Keys {
  readonly appId: string
  readonly mchId: string
  readonly serialNo: string
  readonly apiKey: string
  readonly platformSerial: string
  /** The merchant's pair, whose private half we hold, and the gateway's, whose public half we hold. */
  readonly privateKey: string
  readonly publicKey: string
  readonly platformPrivate: string
  readonly platformKey: string
}

const readKeys = (file: string): Keys | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function generateKeys(): Keys {
  const pair = () =>
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
  const merchant = pair()
  const platform = pair()
  const hex = (n: number): string => randomBytes(n).toString('hex').toUpperCase()
  return {
    appId: `wx${hex(8).toLowerCase()}`,
    mchId: `19${String(randomBytes(4).readUInt32BE()).padStart(8, '0').slice(0, 8)}`,
    serialNo: hex(20),
    apiKey: hex(16),
    platformSerial: `PUB_KEY_ID_${hex(8)}`,
    privateKey: merchant.privateKey,
    publicKey: merchant.publicKey,
    platformPrivate: platform.privateKey,
    platformKey: platform.publicKey,
  }
}

/**
 * The keys of this data folder, made at the first start; two processes that start at once agree on one set.
 */
export function loadKeys(dir: string): Keys {
  const file = join(dir, 'keys.json')
  const known = readKeys(file)
  if (known) return known
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const ownFile = `${file}.${process.pid}`
  writeFileSync(ownFile, JSON.stringify(generateKeys()), { mode: 0o600 })
  try {
    linkSync(ownFile, file)
  } catch {
    /* another process was first */
  }
  rmSync(ownFile, { force: true })
  return defined(readKeys(file))
}
