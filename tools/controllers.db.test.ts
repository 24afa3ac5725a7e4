import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AgentProcess, cleanUp, makeFolder } from '#apps/agent/fixtures/agent-process.ts'
import type { Call } from '#kit/contract/call.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import { openDatabase, sql, type Database } from '#kit/server/db.ts'
import { portOf } from '#kit/server/fixtures/port.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { doorwayDevices } from '#modules/access/contract/doorway-device.ts'
import { doorways, type Doorway } from '#modules/access/contract/doorway.ts'
import {
  bindDoorways,
  doorwayGroups,
  unbindDoorways,
  type DoorwayGroup,
} from '#modules/access/contract/group.ts'
import { selectNeighbours, type Neighbour } from '#modules/access/server/people.fixtures.ts'
import { cardsByDevice } from '#modules/access/server/reach-oracle.fixtures.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { addDeviceModel } from '#modules/devices/contract/device-model.ts'
import { addDevice, getDevice } from '#modules/devices/contract/device.ts'
import { addGateway, createPairingCode } from '#modules/devices/contract/gateway.ts'
import { sendRemoteTask } from '#modules/devices/contract/remote-task.ts'
import { addResidentBlock, deleteResidentBlocks } from '#modules/residents/contract/block.ts'
import { changeCardStates, saveCard } from '#modules/residents/contract/card.ts'
import { checkInAgain, checkOut } from '#modules/residents/contract/move.ts'
import { golden, password } from '#db/golden/golden-data.ts'
import { openKillableServer, type KillableServer } from '#db/golden/killable-server.ts'
import { seededRandom } from '#db/golden/random.ts'

const projectCode = 'GOLD0001'
const reason = '测试变动'
const random = seededRandom(20_261_130)
const pick = <T>(from: readonly T[]): T => defined(from[random(from.length)])

let database: TestDatabase
let store: Database
let ownerId: Id
let dataDir: string
let server: KillableServer
let line: Server
const sockets = new Set<Socket>()
let as: CallOptions
let agent: AgentProcess
let people: readonly Neighbour[]
let group: DoorwayGroup
const opened: Doorway[] = []
const deviceIds: Id[] = []
let issued = 0

/** The one address under which the agent knows the server, whichever process answers there. */
async function openLine(): Promise<Server> {
  const opening = createServer(socket => {
    const { hostname, port } = new URL(server.address)
    const onward = connect(Number(port), hostname)
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>(resolve => opening.listen(0, '127.0.0.1', resolve))
  return opening
}

async function send<I, O>(call: Call<I, O>, input: I): Promise<O> {
  return defined(await server.send(call, input, as)).decode()
}

async function until(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 120_000
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`)
    await sleep(250)
  }
}

const isOnline = async (id: Id): Promise<boolean> => (await send(getDevice, { id })).isOnline

async function addController(doorway: Doorway, gatewayId: Id, modelId: Id): Promise<void> {
  const name = `控制器${deviceIds.length}`
  const { id } = await send(addDevice, { projectCode, name, modelId, gatewayId, state: 'normal' })
  await send(doorwayDevices.add, { projectCode, doorwayId: doorway.id, deviceId: id, direction: 'both' })
  deviceIds.push(id)
}

async function addSite(): Promise<void> {
  const gateway = await send(addGateway, { projectCode, name: '南门网关' })
  const { code } = await send(createPairingCode, { id: gateway.id })
  agent = new AgentProcess().start('--server', `http://127.0.0.1:${portOf(line)}`, '--code', code)
  const model = await send(addDeviceModel, {
    name: '门禁控制器一型',
    systemType: 'security',
    devType: 'access',
    driver: 'doorwaySimulator',
    state: 'on',
  })
  const draft = {
    projectCode,
    direction: 'both',
    passageType: 'pedestrian',
    openSeconds: 5,
    state: 'on',
  } as const
  for (const values of [
    { doorwayName: '南门', isPublic: true },
    { doorwayName: '一栋', isPublic: true, buildCode: 'B1' },
    { doorwayName: '泳池', isPublic: false },
  ]) {
    const doorway = await send(doorways.add, { ...draft, ...values })
    opened.push(doorway)
    await addController(doorway, gateway.id, model.id)
  }
  group = await send(doorwayGroups.add, {
    projectCode,
    groupName: '泳池会员',
    doorwayIds: [String(defined(opened[2]).id)],
    scopeType: 'manual',
    state: 'on',
  })
}

beforeAll(async () => {
  database = await openTestDatabase()
  store = openDatabase(database.url, { pool: 2, bulk: 1 })
  dataDir = makeFolder()
  server = await openKillableServer(database.url, dataDir)
  line = await openLine()
  const signedIn = await server.send(login, { loginCode: golden.first.owner, password }, {})
  as = { token: defined(signedIn).decode().token, projectCode }
  ownerId = defined(
    await store
      .reader('*')
      .one<{ ownerId: Id }>(sql`select owner_id from manager where login_code = ${golden.first.owner}`),
  ).ownerId
  people = (await selectNeighbours(store.reader(ownerId), ownerId)).slice(0, 5)
  await addSite()
  for (const id of deviceIds) {
    await until(() => isOnline(id), 'the controller')
  }
}, 180_000)

afterAll(async () => {
  await cleanUp()
  line.close()
  sockets.forEach(socket => socket.destroy())
  await server.kill()
  await store.close()
  await database.drop()
}, 60_000)

/** A command of the simulation, which nobody waits for: the line may be down, the agent killed. */
const simulate = (action: string, data: object = {}) =>
  send(sendRemoteTask, {
    deviceIds: [String(pick(deviceIds))],
    cmdType: 'device',
    cmdData: JSON.stringify({ action, data }),
    confirm: true,
  })

const idsOf = (table: 'identity_card' | 'user_blocklist') =>
  table === 'identity_card'
    ? sql<{
        id: Id
      }>`select id from identity_card where owner_id = ${ownerId} and card_no like 'K%' and state in (10, 20)`
    : sql<{
        id: Id
      }>`select id from user_blocklist where owner_id = ${ownerId} and reason = ${reason} and delete_tag = 0`

const pickId = async (table: 'identity_card' | 'user_blocklist'): Promise<string> =>
  String(pick(await store.reader(ownerId).rows<{ id: Id }>(idsOf(table))).id)

const issueCard = () => {
  const { userId, roomId } = pick(people)
  const doorwayGroupIds = random(2) === 0 ? [String(group.id)] : []
  return send(saveCard, {
    projectCode,
    cardNo: `K${++issued}`,
    cardType: 'ic',
    userId,
    roomId,
    doorwayGroupIds,
  })
}

const today = () => dayOfInstant(Date.now())

/** What may happen; nothing where it cannot happen now. */
const happenings: readonly (() => Promise<unknown>)[] = [
  issueCard,
  issueCard,
  issueCard,
  async () =>
    send(changeCardStates, {
      ids: [await pickId('identity_card')],
      state: pick(['lost', 'normal', 'ended'] as const),
      reason,
    }),
  () => send(checkOut, { ids: [String(pick(people).residencyId)], outDate: today(), reason, answers: [] }),
  () => send(checkInAgain, { ids: [String(pick(people).residencyId)], inDate: today(), answers: [] }),
  () => {
    const { userId, name } = pick(people)
    return send(addResidentBlock, { projectCode, userId, name, scope: ['access'], reason })
  },
  async () => send(deleteResidentBlocks, { ids: [await pickId('user_blocklist')], reason }),
  () => send(bindDoorways, { groupId: group.id, doorwayIds: [String(pick(opened).id)] }),
  () => send(unbindDoorways, { groupId: group.id, doorwayIds: [String(pick(opened).id)] }),
  () => simulate('setLine', { isUp: false, forMs: 1500 }),
  () => simulate('replaceBox'),
]

const disturbances: readonly (() => Promise<void>)[] = [
  async () => {
    agent.killAll()
    await agent.exit
    agent.start()
  },
  async () => {
    await server.kill()
    server = await openKillableServer(database.url, dataDir)
  },
]

/** What the memory of a simulated controller has, as it lies on its disk. */
function cardsOf(deviceId: Id): string[] {
  const file = join(agent.dataDir, 'devices', String(deviceId), 'controller.sqlite')
  const memory = new DatabaseSync(file, { readOnly: true })
  try {
    return memory
      .prepare('select card_no from card')
      .all()
      .map(row => `card:${String(row.card_no)}`)
      .toSorted()
  } finally {
    memory.close()
  }
}

const heldCards = (): Record<string, string[]> =>
  Object.fromEntries(deviceIds.map(id => [String(id), cardsOf(id)]))

async function wantedCards(): Promise<Record<string, readonly string[]>> {
  const expected = await cardsByDevice(store.reader(ownerId), ownerId, projectCode, today())
  return Object.fromEntries(deviceIds.map(id => [String(id), expected.get(id) ?? []]))
}

it('ACS-2 after any history, with agents, servers and lines that fail in it, controllers hold what is due', async () => {
  for (let round = 0; round < 4; round++) {
    for (let step = 0; step < 15; step++) {
      // What cannot happen just then is refused: somebody who has left cannot leave.
      await pick(happenings)().catch(() => undefined)
      if (step % 7 === 3) {
        await defined(disturbances[(round + Math.floor(step / 7)) % disturbances.length])()
      }
    }
    const isSettled = async (): Promise<boolean> =>
      JSON.stringify(heldCards()) === JSON.stringify(await wantedCards())
    await until(isSettled, `controllers after round ${round}`).catch(() => undefined)
    expect(heldCards()).toEqual(await wantedCards())
  }
  expect(Object.values(heldCards()).flat().length).toBeGreaterThan(0)
}, 600_000)
