import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { openKillableServer, type KillableServer } from '#db/golden/killable-server.ts'
import { getRemoteTask, sendRemoteTask } from '../contract/remote-task.ts'
import { DeviceServers, type Clerk, type PairedGateway } from './device-servers.fixtures.ts'
import { AgentClient } from './fixtures/agent-client.ts'

let s: DeviceServers
let me: Clerk
let site: PairedGateway

// The servers that go on look for silent gateways by their own clock.
const startsAt = new Date().toISOString()
const openVictim = (): Promise<KillableServer> => openKillableServer(s.database.url, s.dataDir, { startsAt })

beforeAll(async () => {
  s = await DeviceServers.open()
  me = await s.signIn()
  site = await s.pairedGateway(me)
})

afterAll(() => s?.close())

const total = 1000
const perMessage = 20

/**
 * Sends what is not acknowledged, one message in flight, as the agent does; until all is or the line breaks.
 */
async function sendFrom(agent: AgentClient, acked: number): Promise<number> {
  let seq = acked
  while (seq < total) {
    const next = seq + perMessage
    agent.events(
      Array.from({ length: perMessage }, () => ({ type: 'swipe' })),
      seq + 1,
    )
    const isStored = await agent
      .waitFor('eventsAck', ack => ack.seq === next, 30_000)
      .then(
        () => true,
        () => false,
      )
    if (!isStored) return seq
    seq = next
  }
  return seq
}

it('events are stored once and in order though their server is killed again and again', async () => {
  let kills = 0
  for (;;) {
    const victim = await openVictim()
    const agent = await AgentClient.connect(victim.address, site.identity, { clock: () => s.now() })
    const acked = agent.of('welcome')[0]?.ackedSeq ?? 0
    const sending = sendFrom(agent, acked)
    if (kills < 3) {
      await pause(20 + kills * 15)
      await victim.kill()
      kills++
    }
    const reached = await sending
    if (reached === total) {
      await victim.kill()
      break
    }
  }
  const rows = await s.app.database.reader(s.ownerId).rows<{ seq: number }>(sql`
    select seq from device_event where owner_id = ${s.ownerId} and gateway_id = ${site.gateway.id} order by id
  `)
  expect(kills).toBe(3)
  expect(rows.map(row => Number(row.seq))).toEqual(Array.from({ length: total }, (_, i) => i + 1))
}, 180_000)

it('a command whose server is killed under way is sent again by another, and ends once', async () => {
  const victim = await openVictim()
  const agent = await AgentClient.connect(victim.address, site.identity, { clock: () => s.now() })
  await agent.beatHeard()
  const [task] = await s.call(
    sendRemoteTask,
    { gatewayIds: [String(site.gateway.id)], cmdType: 'listProcesses' },
    me,
  )
  if (!task) throw new Error('no task')
  await agent.waitFor('command', command => command.taskId === task.id)
  await victim.kill()
  await agent.closed
  const again = await s.connect(site.identity, 1)
  await again.waitFor('command', command => command.taskId === task.id)
  again.send({ kind: 'result', taskId: task.id, outcome: 'done', data: [] })
  await again.waitFor('resultAck', ack => ack.taskId === task.id)
  expect((await s.call(getRemoteTask, { id: task.id }, me)).state).toBe('done')
  again.close()
}, 60_000)
