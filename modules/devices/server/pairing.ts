import { timingSafeEqual } from 'node:crypto'
import { isObject } from '#kit/contract/wire/members.ts'
import { Refused, refuse } from '#kit/contract/wire.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { addEntry, findEntry, type DirectoryEntry } from '#kit/server/directory.ts'
import { countHit } from '#kit/server/rate-limit.ts'
import type { RawEndpoint, RawResponse } from '#kit/server/raw-endpoint.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { requireById, update } from '#kit/server/table.ts'
import { pairingPath, type PairingAnswer, type PairingRequest } from '../contract/agent-protocol.ts'
import { gateway } from '../contract/gateway.ts'
import { readPairingCode } from '../domain/pairing-code.ts'
import { notifyAgent } from './device-hub.ts'
import { cleanJson } from './clean-json.ts'
import { deletePairing, pairingHash } from './gateway.ts'
import { deleteGatewayKey, keyIdOf, readPublicKey } from './gateway-key.ts'
import { updatePublicKey } from './update-key.ts'

/** Tries in a minute, of one address and of all. */
const maxPerAddress = 10
const maxInAll = 120

const invalidCode = '配对码无效或已过期，请在网关管理中重新生成'

const answer = (status: number, body: PairingAnswer): RawResponse => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
})

const textOf = (value: unknown, max: number): string =>
  typeof value === 'string' ? value.replaceAll('\0', '').slice(0, max) : ''

function readRequest(body: string): PairingRequest | undefined {
  try {
    const raw = cleanJson(body)
    if (!isObject(raw)) return undefined
    return {
      code: textOf(raw.code, 40),
      publicKey: textOf(raw.publicKey, 500),
      hostName: textOf(raw.hostName, 100),
      platform: textOf(raw.platform, 60),
      version: textOf(raw.version, 20),
    }
  } catch {
    return undefined
  }
}

/**
 * Takes the code out of the database: it is used, whatever comes of it. Nothing where it was used or is old.
 */
async function takeCode(
  tx: Tx,
  app: App,
  { ownerId, refId }: DirectoryEntry,
  hash: string,
): Promise<Id | undefined> {
  const row = await tx.one<{ codeHash: string; isValid: boolean; operatorId: Id }>(sql`
    select code_hash, expire_time > ${new Date(app.clock())} as is_valid, operator_id
    from gateway_pairing
    where owner_id = ${ownerId} and gateway_id = ${refId}
    for update
  `)
  const expected = Buffer.from(row?.codeHash ?? '')
  const actual = Buffer.from(hash)
  if (!row || expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined
  await deletePairing(tx, ownerId, refId)
  return row.isValid ? row.operatorId : undefined
}

interface Pairing {
  readonly app: App
  readonly request: PairingRequest
  readonly publicKey: Buffer
  readonly ip: string
}

/** The agent's key takes the place of the one before; a key that another gateway has is refused. */
async function storeKey(tx: Tx, scope: Scope, gatewayId: Id, { publicKey }: Pairing): Promise<string> {
  const { ownerId } = scope
  const keyId = keyIdOf(publicKey)
  await deleteGatewayKey(tx, ownerId, gatewayId)
  if (!(await addEntry(tx, 'gateway_key', keyId, { ownerId, refId: gatewayId }))) {
    return refuse('该程序已与其他网关配对，请使用新的数据目录后重试')
  }
  await tx.execute(sql`
    insert into gateway_key (owner_id, gateway_id, key_id, public_key)
    values (${ownerId}, ${gatewayId}, ${keyId}, ${publicKey})
  `)
  notifyAgent(tx, gatewayId, { kind: 'revoked' })
  return keyId
}

async function pairGateway(
  tx: Tx,
  entry: DirectoryEntry,
  pairing: Pairing,
): Promise<PairingAnswer | undefined> {
  const { app, request, ip } = pairing
  const hash = await pairingHash(app, request.code)
  const operatorId = await takeCode(tx, app, entry, hash)
  if (operatorId === undefined) return undefined
  const scope = {
    ...systemScope(entry.ownerId, new Date(app.clock()).toISOString()),
    operatorId,
    name: '网关配对',
    ip,
  }
  const found = await requireById(tx, gateway, scope, entry.refId, { lock: true })
  const keyId = await storeKey(tx, scope, found.id, pairing)
  await update(tx, gateway, scope, found.id, {
    state: 'paired',
    keyId,
    pairTime: fromInstant(app.clock()),
    pairIp: ip,
    hostName: request.hostName,
    platform: request.platform,
    agentVersion: request.version,
    revokeTime: undefined,
    revokeReason: undefined,
  })
  return {
    ok: true,
    keyId,
    gateNo: found.gateNo ?? '',
    name: found.name,
    updateKey: await updatePublicKey(app),
  }
}

async function isTooOften({ database }: App, ip: string): Promise<boolean> {
  const ofAddress = await countHit(database, `agent-pair:${ip}`)
  return ofAddress > maxPerAddress || (await countHit(database, 'agent-pair')) > maxInAll
}

async function pair(app: App, body: string, ip: string): Promise<RawResponse> {
  if (await isTooOften(app, ip)) return answer(429, { ok: false, message: '配对过于频繁，请一分钟后再试' })
  const request = readRequest(body)
  const code = request && readPairingCode(request.code)
  const publicKey = Buffer.from(request?.publicKey ?? '', 'base64')
  if (!request || !readPublicKey(publicKey)) return answer(400, { ok: false, message: '配对请求格式不正确' })
  if (code === undefined) return answer(400, { ok: false, message: invalidCode })
  const entry = await findEntry(app.database.reader('*'), 'gateway_code', await pairingHash(app, code))
  if (!entry) return answer(400, { ok: false, message: invalidCode })
  const paired = await app.database.tx(entry.ownerId, async tx => {
    const found = await pairGateway(tx, entry, { app, request: { ...request, code }, publicKey, ip })
    if (found) {
      app.live.publishOnCommit(tx, entry.ownerId, { topic: 'devices' }, 'devices')
    }
    return found
  })
  return paired ? answer(200, paired) : answer(400, { ok: false, message: invalidCode })
}

/** `POST /api/agent/pair`: an agent shows the code of the screen and its own public key. */
export const pairingEndpoint: RawEndpoint = {
  route: `POST ${pairingPath}`,
  run: async ({ body, ip }, app) => {
    try {
      return await pair(app, body, ip)
    } catch (e) {
      if (e instanceof Refused) return answer(400, { ok: false, message: e.message })
      throw e
    }
  },
}
