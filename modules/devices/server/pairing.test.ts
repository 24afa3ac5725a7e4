import { sign } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { agentClose } from '../contract/agent-protocol.ts'
import { listGatewayKeys } from '../contract/device-security.ts'
import { createPairingCode, getGateway, listGateways, revokeGateway } from '../contract/gateway.ts'
import { DeviceServers, type Clerk } from './device-servers.fixtures.ts'
import { AgentClient, newIdentity, pairAgent } from './fixtures/agent-client.ts'

let s: DeviceServers
let me: Clerk

beforeAll(async () => {
  s = await DeviceServers.open()
  me = await s.signIn()
})

afterAll(() => s?.close())

/** Limits of the minute before do not concern the next test. */
const forgetHits = () => s.app.database.tx('*', tx => tx.execute(sql`delete from rate_count`))

it('a code pairs once: the second agent that shows it is refused', async () => {
  await forgetHits()
  const gateway = await s.addGateway(me)
  const { code } = await s.call(createPairingCode, { id: gateway.id }, me)
  const first = await pairAgent(s.origin(1), code.toLowerCase())
  expect(first.answer).toMatchObject({ ok: true, gateNo: gateway.gateNo, keyId: first.identity.keyId })
  const second = await pairAgent(s.origin(), code)
  expect([second.status, second.answer.ok]).toEqual([400, false])
  const after = await s.call(getGateway, { id: gateway.id }, me)
  expect(after).toMatchObject({ state: 'paired', keyId: first.identity.keyId, pairIp: '127.0.0.1' })
  const keys = await s.call(listGatewayKeys, { projectCode: me.projectCode }, me)
  expect(defined(keys.find(key => key.id === gateway.id))).toMatchObject({ keyId: first.identity.keyId })
})

it('of two agents that show one code at once one is paired', async () => {
  await forgetHits()
  const gateway = await s.addGateway(me)
  const { code } = await s.call(createPairingCode, { id: gateway.id }, me)
  const answers = await Promise.all([0, 1, 0, 1].map(i => pairAgent(s.origin(i === 0 ? 0 : 1), code)))
  expect(answers.filter(({ answer }) => answer.ok)).toHaveLength(1)
})

it('a code is over after ten minutes, and when a new one is made', async () => {
  await forgetHits()
  const gateway = await s.addGateway(me)
  const old = await s.call(createPairingCode, { id: gateway.id }, me)
  const fresh = await s.call(createPairingCode, { id: gateway.id }, me)
  expect((await pairAgent(s.origin(), old.code)).status).toBe(400)
  s.turn(10 * 60_000 + 1000)
  expect((await pairAgent(s.origin(), fresh.code)).status).toBe(400)
})

it('codes are not guessed: an address has ten tries a minute', async () => {
  await forgetHits()
  const statuses = []
  for (let i = 0; i < 12; i++) {
    statuses.push((await pairAgent(s.origin(), 'ABCD2345')).status)
  }
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429])
  await forgetHits()
})

it('who does not hold the key is a stranger, on any process', async () => {
  const { identity } = await s.pairedGateway(me)
  const wrong = new AgentClient(s.origin(1))
  const { nonce } = await wrong.waitFor('challenge')
  await wrong.signIn(identity, sign(null, Buffer.from(`x${nonce}`), identity.privateKey).toString('base64'))
  expect((await wrong.closed).code).toBe(agentClose.refused)
  const unknown = new AgentClient(s.origin())
  await unknown.signIn(newIdentity())
  expect((await unknown.closed).code).toBe(agentClose.refused)
  const replayed = new AgentClient(s.origin())
  await replayed.waitFor('challenge')
  await replayed.signIn(identity, sign(null, Buffer.from(nonce), identity.privateKey).toString('base64'))
  expect((await replayed.closed).code).toBe(agentClose.refused)
})

it('revoking cuts the connection on the other process at once, and the key opens nothing any more', async () => {
  const { gateway, identity } = await s.pairedGateway(me)
  const agent = await s.connect(identity, 1)
  const startedAt = performance.now()
  await s.call(revokeGateway, { id: gateway.id, reason: '设备被盗' }, me, 0)
  expect((await agent.closed).code).toBe(agentClose.refused)
  expect(performance.now() - startedAt).toBeLessThan(2000)
  await expect(s.connect(identity, 0)).rejects.toThrow(String(agentClose.refused))
  const after = await s.call(getGateway, { id: gateway.id }, me)
  expect(after).toMatchObject({ state: 'revoked', isOnline: false, revokeReason: '设备被盗' })
})

it('an agent that reconnects ends its former connection, on the same and on another process', async () => {
  const { identity } = await s.pairedGateway(me)
  const first = await s.connect(identity, 0)
  const second = await s.connect(identity, 0)
  expect((await first.closed).code).toBe(agentClose.replaced)
  const third = await s.connect(identity, 1)
  expect((await second.closed).code).toBe(agentClose.replaced)
  third.beat()
  await third.waitFor('beatAck')
  third.close()
})

it('what does not speak the protocol is hung up on', async () => {
  const { identity } = await s.pairedGateway(me)
  for (const text of ['x', '[]', '{"kind":"beat"}', '{"kind":"__proto__"}', 'y'.repeat(1_000_001)]) {
    const stranger = new AgentClient(s.origin())
    await stranger.waitFor('challenge')
    stranger.sendText(text)
    expect([agentClose.badMessage, 1009, 1006]).toContain((await stranger.closed).code)
  }
  const agent = await s.connect(identity)
  agent.sendText('{"kind":"events","events":[{"seq":-1}]}')
  expect((await agent.closed).code).toBe(agentClose.badMessage)
})

it('the key of a gateway’s connection is handed out to no browser', async () => {
  const { gateway, identity } = await s.pairedGateway(me)
  const agent = await s.connect(identity, 0)
  const stored = await s.app.database
    .reader(s.ownerId)
    .one<{ connectionKey: string }>(
      sql`select run_connection_key as connection_key from gateway where owner_id = ${s.ownerId} and id = ${gateway.id}`,
    )
  const { connectionKey } = defined(stored)
  expect(connectionKey).toMatch(/^[\w-]{20}$/)
  const answers = await Promise.all([
    s.callRaw(getGateway, { id: gateway.id }, me),
    s.callRaw(listGateways, { size: 2000 }, me),
  ])
  expect(answers.map(answer => answer.Code)).toEqual([10000, 10000])
  expect(JSON.stringify(answers)).not.toContain(connectionKey)
  agent.close()
})
