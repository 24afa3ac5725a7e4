import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { challengeText, pairingPath, type PairingRequest } from '#modules/devices/contract/agent-protocol.ts'
import { readIfPresent, writeFileAtomic } from './atomic-file.ts'
import { AgentError } from './exit-codes.ts'
import { isObject, parseJson, textOf } from './json.ts'

/** Who this agent is: its key, and whom it belongs to. One file, so that there is never half of it. */
export interface Identity {
  readonly server: string
  readonly keyId: string
  readonly gateNo: string
  readonly name: string
  /** Ed25519, DER (SPKI), base64: signs packages of this program. */
  readonly updateKey: string
  /** PKCS #8, PEM. */
  readonly privateKey: string
}

const fileOf = (dataDir: string): string => join(dataDir, 'identity.json')

export function makeDataFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
}

export function readIdentity(dataDir: string): Identity | undefined {
  const text = readIfPresent(fileOf(dataDir))
  if (text === undefined) return undefined
  chmodSync(fileOf(dataDir), 0o600)
  try {
    const stored = parseJson(text)
    if (!isObject(stored)) throw new Error('no object')
    return {
      server: textOf(stored.server, 'server'),
      keyId: textOf(stored.keyId, 'keyId'),
      gateNo: textOf(stored.gateNo, 'gateNo'),
      name: textOf(stored.name, 'name'),
      updateKey: textOf(stored.updateKey, 'updateKey'),
      privateKey: textOf(stored.privateKey, 'privateKey'),
    }
  } catch {
    throw new AgentError(`${fileOf(dataDir)} 已损坏，请用新的配对码重新配对。`)
  }
}

export function changeServer(dataDir: string, identity: Identity, server: URL): void {
  if (server.href !== identity.server) {
    writeFileAtomic(fileOf(dataDir), JSON.stringify({ ...identity, server: server.href }))
  }
}

export function parseServer(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new AgentError(`服务器地址 ${text} 不对，应如 https://anju.example.com`)
  return url
}

export const isUnencrypted = (server: URL): boolean =>
  server.protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(server.hostname)

/** Makes a key and has the server enter it under the code. */
export async function pair(dataDir: string, server: URL, code: string, version: string): Promise<Identity> {
  if (!/^[\w -]{4,40}$/.test(code)) throw new AgentError('配对码无效，请在「网关管理」生成。')
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const der = publicKey.export({ type: 'spki', format: 'der' })
  const request: PairingRequest = {
    code,
    publicKey: der.toString('base64'),
    hostName: hostname().slice(0, 100),
    platform: `${process.platform}-${process.arch}`,
    version,
  }
  const answer = await postPairing(new URL(pairingPath, server), request)
  const keyId = createHash('sha256').update(der).digest('hex')
  if (answer.keyId !== keyId) throw new AgentError('服务器返回的密钥编号不符，请重新生成配对码后再试。')
  createPublicKey({ key: Buffer.from(answer.updateKey, 'base64'), format: 'der', type: 'spki' })
  const identity: Identity = {
    server: server.href,
    keyId,
    gateNo: answer.gateNo,
    name: answer.name,
    updateKey: answer.updateKey,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
  writeFileAtomic(fileOf(dataDir), JSON.stringify(identity))
  return identity
}

async function postPairing(url: URL, request: PairingRequest) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  }).then(
    async response => ({ status: response.status, body: parseOrUndefined(await response.text()) }),
    () => undefined,
  )
  if (!answer) throw new AgentError(`无法连接 ${url.origin}，请检查地址与网络。`)
  const { status, body } = answer
  if (!isObject(body)) throw new AgentError(`${url.origin} 不是安居服务器（HTTP ${status}），请检查地址。`)
  if (body.ok !== true) {
    const reason = typeof body.message === 'string' ? body.message : `HTTP ${status}`
    throw new AgentError(`配对失败：${reason}`)
  }
  return {
    keyId: textOf(body.keyId, 'keyId'),
    gateNo: textOf(body.gateNo, 'gateNo'),
    name: textOf(body.name, 'name'),
    updateKey: textOf(body.updateKey, 'updateKey'),
  }
}

function parseOrUndefined(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

export const signChallenge = (identity: Identity, nonce: string): string =>
  sign(null, Buffer.from(challengeText(nonce)), identity.privateKey).toString('base64')
