import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { seededRandom } from '#db/golden/random.ts'
import type { ServerMessage } from '#modules/devices/contract/agent-protocol.ts'
import { replaceDevice } from '#modules/devices/contract/device.ts'
import {
  DeviceServers,
  type Clerk,
  type PairedGateway,
} from '#modules/devices/server/device-servers.fixtures.ts'
import type { AgentClient } from '#modules/devices/server/fixtures/agent-client.ts'
import { addResidentBlock, deleteResidentBlocks } from '#modules/residents/contract/block.ts'
import { changeCardStates, saveCard } from '#modules/residents/contract/card.ts'
import { checkInAgain, checkOut } from '#modules/residents/contract/move.ts'
import { doorwayDevices } from '../contract/doorway-device.ts'
import { doorways, type Doorway } from '../contract/doorway.ts'
import { bindDoorways, doorwayGroups, unbindDoorways, type DoorwayGroup } from '../contract/group.ts'
import { vipDoorways } from '../contract/vip-doorway.ts'
import { projectCode } from './access.fixtures.ts'
import { selectNeighbours, type Neighbour } from './people.fixtures.ts'
import { cardsByDevice } from './reach-oracle.fixtures.ts'
import { planChanged } from './sync/jobs.ts'

type Desired = Extract<ServerMessage, { kind: 'desired' }>

/** A gateway with its controllers: they keep what they hold while the line, or the gateway, is away. */
class Site {
  readonly stored = new Map<Id, Map<string, number>>()
  /** Why the controllers take nothing new, while they do not. */
  refusal: string | undefined
  #agent: AgentClient | undefined
  #seen = 0

  readonly servers: DeviceServers
  readonly gateway: PairedGateway
  readonly deviceIds: readonly Id[]

  constructor(servers: DeviceServers, gateway: PairedGateway, deviceIds: readonly Id[]) {
    this.servers = servers
    this.gateway = gateway
    this.deviceIds = deviceIds
    deviceIds.forEach(id => this.stored.set(id, new Map()))
  }

  async connect(): Promise<void> {
    this.#agent ??= await this.servers.connect(this.gateway.identity)
    await this.#agent.beatHeard(this.deviceIds.map(id => ({ id, isOnline: true })))
    await this.servers.runIntervals(0, 'gateway-beats')
  }

  disconnect(): void {
    this.#agent?.close()
    this.#agent = undefined
    this.#seen = 0
  }

  /** Does what it was sent since the last time, and says so. */
  answer(): void {
    const messages = this.#agent?.of('desired') ?? []
    for (const message of messages.slice(this.#seen)) {
      this.#hold(message)
    }
    this.#seen = messages.length
  }

  #hold({ deviceId, items }: Desired): void {
    const stored = defined(this.stored.get(deviceId))
    for (const { key, version, action } of items) {
      if (this.refusal !== undefined) continue
      if (action === 'put') {
        stored.set(key, version)
      } else {
        stored.delete(key)
      }
    }
    this.#agent?.send({
      kind: 'reported',
      deviceId,
      items: items.map(({ key, version }) =>
        this.refusal === undefined
          ? { key, version, outcome: 'done' as const }
          : { key, version, outcome: 'failed' as const, reason: this.refusal },
      ),
    })
  }
}

let s: DeviceServers
let me: Clerk
let people: readonly Neighbour[]
let sites: Site[]
let opened: Doorway[]
let group: DoorwayGroup
const random = seededRandom(20_261_129)

const pick = <T>(from: readonly T[]): T => defined(from[random(from.length)])
const reason = '测试变动'

beforeAll(async () => {
  s = await DeviceServers.open()
  me = await s.signIn()
  people = (await selectNeighbours(s.app.database.reader(s.ownerId), s.ownerId)).slice(0, 5)
  const draft = {
    projectCode,
    direction: 'both',
    passageType: 'pedestrian',
    openSeconds: 5,
    state: 'on',
  } as const
  opened = [
    await s.call(doorways.add, { ...draft, doorwayName: '南门', isPublic: true }, me),
    await s.call(doorways.add, { ...draft, doorwayName: '一栋', isPublic: true, buildCode: 'B1' }, me),
    await s.call(doorways.add, { ...draft, doorwayName: '泳池', isPublic: false }, me),
  ]
  const model = await s.addModel(me)
  sites = []
  for (const part of [opened.slice(0, 2), opened.slice(2)]) {
    const gateway = await s.pairedGateway(me)
    const ids: Id[] = []
    for (const doorway of part) {
      const { id } = await s.addDevice(me, gateway.gateway, model)
      await s.call(
        doorwayDevices.add,
        { projectCode, doorwayId: doorway.id, deviceId: id, direction: 'both' },
        me,
      )
      ids.push(id)
    }
    sites.push(new Site(s, gateway, ids))
  }
  group = await s.call(
    doorwayGroups.add,
    {
      projectCode,
      groupName: '泳池会员',
      doorwayIds: [String(defined(opened[2]).id)],
      scopeType: 'manual',
      state: 'on',
    },
    me,
  )
})

afterAll(() => s?.close())

const today = () => dayOfMoment(fromInstant(s.now()))
let issued = 0

const issueCard = () => {
  const { userId, roomId } = pick(people)
  const ofRoom = random(2) === 0 ? { roomId } : {}
  const draft = { projectCode, cardNo: `H${++issued}`, cardType: 'ic', userId, ...ofRoom } as const
  const doorwayGroupIds = random(2) === 0 ? [String(group.id)] : []
  return s.call(saveCard, { ...draft, doorwayGroupIds }, me)
}

/** What may happen; each on somebody or something at random, and nothing where it cannot happen now. */
const happenings: readonly (() => Promise<unknown>)[] = [
  issueCard,
  issueCard,
  issueCard,
  async () => {
    const cards = await s.app.database.reader(s.ownerId).rows<{ id: Id }>(sql`
      select id from identity_card where owner_id = ${s.ownerId} and card_no like 'H%' and state in (10, 20)
    `)
    const state = pick(['lost', 'normal', 'ended'] as const)
    return s.call(changeCardStates, { ids: [String(pick(cards).id)], state, reason }, me)
  },
  () =>
    s.call(checkOut, { ids: [String(pick(people).residencyId)], outDate: today(), reason, answers: [] }, me),
  () => s.call(checkInAgain, { ids: [String(pick(people).residencyId)], inDate: today(), answers: [] }, me),
  () => {
    const { userId, name } = pick(people)
    return s.call(addResidentBlock, { projectCode, userId, name, scope: ['access'], reason }, me)
  },
  async () => {
    const blocks = await s.app.database.reader(s.ownerId).rows<{ id: Id }>(sql`
      select id from user_blocklist where owner_id = ${s.ownerId} and reason = ${reason} and delete_tag = 0
    `)
    return s.call(deleteResidentBlocks, { ids: [String(pick(blocks).id)], reason }, me)
  },
  () => s.call(bindDoorways, { groupId: group.id, doorwayIds: [String(pick(opened).id)] }, me),
  () => s.call(unbindDoorways, { groupId: group.id, doorwayIds: [String(pick(opened).id)] }, me),
  () => {
    const doorwayIds = [String(pick(opened).id)]
    return s.call(
      vipDoorways.add,
      { projectCode, userId: pick(people).userId, doorwayIds, state: 'valid' },
      me,
    )
  },
  async () => {
    const doorway = await s.call(doorways.get, { id: pick(opened).id }, me)
    return s.call(doorways.edit, { ...doorway, state: doorway.state === 'on' ? 'off' : 'on' }, me)
  },
  () => pick(sites).connect(),
  async () => pick(sites).disconnect(),
  async () => {
    const site = pick(sites)
    const id = pick(site.deviceIds)
    await s.call(replaceDevice, { id, identity: `N${++issued}`, reason }, me)
    defined(site.stored.get(id)).clear()
  },
  async () => sites.forEach(site => site.answer()),
]

/** Until no controller lacks anything, or has too much. */
async function settle(openStates: readonly number[] = [10, 30, 40]): Promise<void> {
  await planChanged(s.app)
  for (const site of sites) {
    await site.connect()
  }
  for (let tries = 0; tries < 100; tries++) {
    sites.forEach(site => site.answer())
    const open = await s.app.database.reader(s.ownerId).one<{ count: number }>(sql`
      select count(*)::integer as count
      from device_item
      where owner_id = ${s.ownerId}
        and device_id = any(${sites.flatMap(site => [...site.deviceIds])}::bigint[])
        and state = any(${[...openStates]}::smallint[])
    `)
    if (open?.count === 0) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('controllers are not up to date in time')
}

it('after any history of moves, blocks, groups, doors and devices the controllers hold what ACS-2 says', async () => {
  for (let round = 0; round < 6; round++) {
    for (let step = 0; step < 30; step++) {
      // What cannot happen just then is refused: somebody who has left cannot leave.
      await pick(happenings)().catch(() => undefined)
      if (random(5) < 2) {
        await planChanged(s.app)
      }
    }
    await settle()
    const expected = await cardsByDevice(s.app.database.reader(s.ownerId), s.ownerId, projectCode, today())
    for (const { stored } of sites) {
      for (const [deviceId, items] of stored) {
        const cards = [...items.keys()].filter(key => key.startsWith('card:')).toSorted()
        expect(cards).toEqual(expected.get(deviceId))
      }
    }
  }
}, 60_000)

it('a face is valid once all its devices have it, and failed with the reason of one (ACS-1)', async () => {
  const reader = s.app.database.reader(s.ownerId)
  const { userId } = pick(people)
  const made = await s.app.database.tx(s.ownerId, async tx => {
    const face = await tx.one<{ id: Id }>(sql`
      insert into face_key (owner_id, project_code, user_id, face, doorway_group_ids, state)
      values (${s.ownerId}, ${projectCode}, ${userId}, 'face.jpg', ${[String(group.id)]}::text[], 10)
      returning id
    `)
    await tx.execute(sql`
      update user_blocklist set delete_tag = 1 where owner_id = ${s.ownerId} and user_id = ${userId}
    `)
    await tx.execute(sql`
      update doorway set state = 10 where owner_id = ${s.ownerId} and id = any(${opened.map(({ id }) => id)}::bigint[])
    `)
    return defined(face)
  })
  // Refused where it is bound already.
  await s
    .call(bindDoorways, { groupId: group.id, doorwayIds: [String(defined(opened[2]).id)] }, me)
    .catch(() => undefined)
  const stateOf = async () =>
    defined(
      await reader.one<{ state: number; failReason?: string }>(sql`
        select state, fail_reason from face_key where owner_id = ${s.ownerId} and id = ${made.id}
      `),
    )
  sites.forEach(site => (site.refusal = '未检测到人脸'))
  // What was refused waits for its next try.
  await settle([10, 40])
  expect(await stateOf()).toEqual({ state: 30, failReason: '未检测到人脸' })
  sites.forEach(site => (site.refusal = undefined))
  s.turn(60_000)
  me = await s.signIn()
  await s.runIntervals(0, 'device-items')
  await settle()
  expect(await stateOf()).toEqual({ state: 20 })
}, 60_000)
