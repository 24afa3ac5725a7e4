import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { addMinutes, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { ConnectionCut, cutAt } from '#kit/server/fixtures/fault-injection.ts'
import { faultTextsOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { clockScope } from '#kit/server/scope.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { carGroups } from '#modules/parking/contract/car-group.ts'
import { addToBlackList } from '#modules/parking/contract/car-actions.ts'
import { cars, type Car } from '#modules/parking/contract/car.ts'
import { parkLanes } from '#modules/parking-lanes/contract/park-lane.ts'
import { requestLaneOpen } from '#modules/parking-lanes/server/public.ts'
import { parkCameras } from '../contract/camera.ts'
import { checkReading } from '../contract/reading.ts'
import { CameraSite, deliver, picture, projectCode } from './camera-site.fixtures.ts'
import { signatureOf } from './camera-key.ts'
import { closeCommandWait } from './command-wait.ts'
import type { CameraRequest, SimulatedCamera } from './simulator/simulated-camera.ts'
import { tidyReadings } from './tidy.ts'

let t: GoldenApp
let me: CallOptions
let site: CameraSite
let entrance: SimulatedCamera
let exit: SimulatedCamera

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  site = await CameraSite.open(t, me)
  entrance = await site.camera('in')
  exit = await site.camera('out')
})

afterAll(async () => {
  closeCommandWait(t.app)
  await t.close()
})

// No car of one test is at a lane with one of the next.
beforeEach(() => t.advanceClock(11_000))

let plates = 10_000
const newPlate = (): string => `粤C${++plates}`
const now = (): Moment => fromInstant(t.app.clock())
const minute = 60_000

const addCar = (plateNo: string, values: Partial<Car> = {}): Promise<Car> =>
  t.call(
    cars.add,
    {
      projectCode,
      plateNo,
      plateColor: 'blue',
      carKind: 'month',
      ownerName: '孙三',
      beginDate: '2026-01-01',
      endDate: '2026-12-31',
      ...values,
    },
    me,
  )

const openCommand = (lane: 'in' | 'out'): Promise<number> =>
  t.database.tx(t.ownerId, tx =>
    requestLaneOpen(tx, clockScope(t.app, t.ownerId), {
      laneId: site.lanes[lane].id,
      origin: 'staff',
      reason: '测试',
    }),
  )

const commandOf = (id: number) =>
  t.database
    .reader(t.ownerId)
    .one<{ state: number; result?: string }>(
      sql`select state, result from park_lane_command where owner_id = ${t.ownerId} and id = ${id}`,
    )

const commandsOf = (lane: 'in' | 'out', plateNo: string) =>
  t.database.reader(t.ownerId).rows(sql`
    select id
    from park_lane_command
    where owner_id = ${t.ownerId} and lane_id = ${site.lanes[lane].id} and plate_no = ${plateNo}
  `)

it('a car comes in and goes out by its cameras: one record with both pictures, and the fee on the screen', async () => {
  const plateNo = newPlate()
  const came = await entrance.report({ plateNo, picture })
  expect(came).toEqual({ status: 200, isOpen: true, text: `${plateNo} 临时车` })
  t.advanceClock(125 * minute)
  expect(await exit.report({ plateNo, picture })).toMatchObject({
    isOpen: false,
    text: `${plateNo} 请缴费 9.00 元`,
  })
  const [stay] = await site.stays(plateNo)
  expect(stay).toMatchObject({ state: 'inside', inPhoto: expect.any(String), outPhoto: expect.any(String) })
  const [reading] = await site.readings('out')
  expect(reading).toMatchObject({ plateNo, state: 'refused', confidence: 96, stayId: defined(stay).id })
})

it('the same record sent again, at once and later, is one record with one answer; late it opens nothing', async () => {
  const plateNo = newPlate()
  const body = entrance.read({ plateNo })
  const answers = await Promise.all([entrance.push(body), entrance.push(body), entrance.push(body)])
  expect(answers.map(({ isOpen }) => isOpen)).toEqual([true, true, true])
  t.advanceClock(2 * minute)
  expect(await entrance.push(body)).toMatchObject({ status: 200, isOpen: false })
  expect(await site.stays(plateNo)).toHaveLength(1)
  expect((await site.readings('in')).filter(row => row.plateNo === plateNo)).toHaveLength(1)
})

it('two cameras of a lane that read one car within seconds are one passage, a misread character included', async () => {
  const [second, third] = [await site.camera('in'), await site.camera('in')]
  const plateNo = newPlate()
  const misread = `${plateNo.slice(0, -1)}Z`
  const first = await entrance.report({ plateNo })
  const shown = { ...first, isOpen: false }
  const again = second.read({ plateNo: misread })
  expect([await second.push(again), await second.push(again)]).toEqual([shown, shown])
  expect(await third.report({})).toEqual(shown)
  expect(await site.stays(misread)).toEqual([])
  expect(await site.stays(plateNo)).toHaveLength(1)
  const keys = (await site.readings('in')).slice(0, 3).map(row => row.passKey)
  expect(new Set(keys).size).toBe(1)
})

it('one car opens once, whichever camera of the lane reads it first (PRK-63)', async () => {
  const auxiliary = await site.camera('in', { opensBarrier: false })
  const [first, second] = [newPlate(), newPlate()]
  expect(await entrance.report({ plateNo: first })).toMatchObject({ isOpen: true })
  expect(await auxiliary.report({ plateNo: first })).toMatchObject({ isOpen: false, text: `${first} 临时车` })
  expect(await commandsOf('in', first)).toHaveLength(0)
  t.advanceClock(11_000)
  const body = auxiliary.read({ plateNo: second })
  expect(await auxiliary.push(body)).toMatchObject({ isOpen: false })
  expect(await entrance.report({ plateNo: second })).toMatchObject({
    isOpen: false,
    text: `${second} 临时车`,
  })
  expect(await auxiliary.push(body)).toMatchObject({ isOpen: false })
  expect(await commandsOf('in', second)).toHaveLength(1)
  await entrance.poll()
})

it('a car that two cameras could not read and the booth let in opens once', async () => {
  const second = await site.camera('in')
  const plateNo = newPlate()
  await entrance.report({ plateNo, confidence: 60 })
  await second.report({})
  const [other, reading] = await site.readings('in')
  await t.call(checkReading, { id: defined(reading).id, plateNo }, me)
  expect(await refusalTextOf(t.call(checkReading, { id: defined(other).id, plateNo }, me))).toContain(
    '已过时',
  )
  expect(await (await site.camera('in')).report({ plateNo })).toMatchObject({ isOpen: false })
  expect(await commandsOf('in', plateNo)).toHaveLength(1)
  await entrance.poll()
})

it('the next car close behind is another passage, whatever of it was read', async () => {
  const second = await site.camera('in')
  const plateNo = newPlate()
  await entrance.report({ plateNo })
  await second.report({ plateNo })
  expect(await entrance.report({})).toMatchObject({ isOpen: false })
  const next = newPlate()
  expect(await entrance.report({ plateNo: next })).toMatchObject({ isOpen: true, text: `${next} 临时车` })
  expect(await site.stays(next)).toHaveLength(1)
})

it('what is not read for sure opens for nobody; the booth checks the plate and the barrier opens (PRK-62)', async () => {
  const plateNo = newPlate()
  await addCar(plateNo)
  expect(await entrance.report({ plateNo, confidence: 60 })).toMatchObject({
    isOpen: false,
    text: '请稍候 正在核对车牌',
  })
  const [reading] = await site.readings('in')
  expect(reading).toMatchObject({ state: 'toCheck', reason: '可信度 60%，请核对车牌' })
  const { id } = defined(reading)
  const answer = await t.call(checkReading, { id, plateNo }, me)
  expect(answer).toMatchObject({ isOpen: true, carKind: 'month' })
  expect(await entrance.poll()).toHaveLength(1)
  expect((await site.readings('in'))[0]).toMatchObject({ state: 'checked', checkedPlate: plateNo })
  expect(await refusalTextOf(t.call(checkReading, { id, plateNo }, me))).toContain('已处理或已过时')
  expect(await site.stays(plateNo)).toHaveLength(1)
})

it('a car without a plate waits for the booth, and so does a plate that is none', async () => {
  expect(await entrance.report({})).toMatchObject({ isOpen: false, text: '未识别到车牌 请扫码或联系岗亭' })
  const [reading] = await site.readings('in')
  const answer = await t.call(checkReading, { id: defined(reading).id }, me)
  expect(answer.plateNo).toMatch(/^无牌\d{6}$/)
  await entrance.report({ plateNo: '粤C12' })
  expect((await site.readings('in'))[0]).toMatchObject({ state: 'toCheck' })
  t.advanceClock(1000)
  await entrance.report({ plateNo: newPlate() })
  expect((await site.readings('in'))[1]).toMatchObject({ state: 'lapsed' })
  await exit.report({})
  t.advanceClock(16 * minute)
  await tidyReadings.run(t.app)
  expect((await site.readings('out'))[0]).toMatchObject({ state: 'lapsed' })
})

it('a clock ten minutes off is seen: the arrival counts, the camera shows the fault and signs all the same', async () => {
  const camera = await site.add('in')
  const late = site.simulate(await site.account(camera))
  late.clockOffset = -600
  const plateNo = newPlate()
  expect(await late.report({ plateNo })).toMatchObject({ status: 200, isOpen: true })
  expect(await site.stays(plateNo)).toMatchObject([{ inTime: now(), isTimeDoubtful: true }])
  t.advanceClock(2 * minute)
  await late.report({ plateNo: newPlate() })
  expect(await t.call(parkCameras.get, { id: camera.id }, me)).toMatchObject({
    clockDiff: -600,
    fault: '相机时间慢 10 分钟，请在相机上校时',
    isOnline: true,
  })
  late.isOffline = true
  const kept = newPlate()
  await late.report({ plateNo: kept })
  t.advanceClock(30 * minute)
  late.isOffline = false
  expect(await late.sendKept()).toBe(1)
  expect((await site.readings('in'))[0]).toMatchObject({ plateNo: kept, isOffline: true, state: 'refused' })
})

it('a live record that comes late teaches no clock difference, one from far ahead is decided all the same', async () => {
  const camera = await site.add('in')
  const plain = site.simulate(await site.account(camera))
  await plain.report({ plateNo: newPlate() })
  const late = [plain.read({ plateNo: newPlate() }), plain.read({ plateNo: newPlate() })]
  t.advanceClock(60 * minute)
  for (const body of late) {
    expect(await plain.push(body)).toMatchObject({ status: 200 })
  }
  const seen = await t.call(parkCameras.get, { id: camera.id }, me)
  expect(seen).toMatchObject({ clockDiff: 0, fault: '识别记录晚到 60 分钟，请检查网络与相机时间' })
  plain.clockOffset = 4_102_444_000 - Math.floor(t.app.clock() / 1000)
  const plateNo = newPlate()
  expect(await plain.report({ plateNo })).toMatchObject({
    status: 200,
    isOpen: true,
    text: `${plateNo} 临时车`,
  })
  expect(await site.stays(plateNo)).toMatchObject([{ inTime: now(), isTimeDoubtful: true }])
})

it('a kept record of a time to come is taken as now, and marked', async () => {
  const plain = await site.camera('in')
  const car = newPlate()
  await addCar(car)
  await plain.fetchList()
  plain.isOffline = true
  plain.clockOffset = 3600
  await plain.report({ plateNo: car })
  plain.isOffline = false
  plain.clockOffset = 0
  expect(await plain.sendKept()).toBe(1)
  expect(await site.stays(car)).toMatchObject([{ inTime: now(), isTimeDoubtful: true }])
})

it('a lane without a line lets the cars of its list pass, and its records come in later, once, in order', async () => {
  const [month, ended, black, grouped, stranger] = [
    newPlate(),
    newPlate(),
    newPlate(),
    newPlate(),
    newPlate(),
  ]
  await addCar(month)
  await addCar(ended, { beginDate: '2026-01-01', endDate: '2026-01-31' })
  await t.call(addToBlackList, { projectCode, plateNo: black, reason: '冲闯道闸' }, me)
  const parkIds = [String(site.park.id)]
  const group = { projectCode, groupName: '车组', placeCount: 1, plateNos: [grouped], parkIds } as const
  await t.call(carGroups.add, { ...group, switchOnLeave: true, state: 'on' }, me)
  expect(await entrance.fetchList()).toBe(true)
  expect(entrance.listed).toEqual(expect.arrayContaining([month, grouped]))
  expect(entrance.listed).not.toContain(ended)
  expect(entrance.blocked).toContain(black)
  expect(await entrance.fetchList()).toBe(false)
  await exit.fetchList()
  entrance.isOffline = true
  exit.isOffline = true
  const leftAt = now()
  const answers = []
  for (const plateNo of [month, stranger, black, grouped]) {
    answers.push(await entrance.report({ plateNo }))
  }
  expect(answers.map(({ isOpen }) => isOpen)).toEqual([true, false, false, true])
  t.advanceClock(10 * minute)
  await exit.report({ plateNo: month })
  t.advanceClock(60 * minute)
  entrance.isOffline = false
  exit.isOffline = false
  // The way out first: the entry that it belongs to comes in after it.
  expect(await exit.sendKept()).toBe(1)
  expect(await entrance.sendKept()).toBe(4)
  expect(await site.stays(month)).toMatchObject([
    { state: 'out', inTime: leftAt, outTime: addMinutes(leftAt, 10), stayMinutes: 10 },
  ])
  expect(await site.stays(stranger)).toEqual([])
  expect(await site.stays(grouped)).toMatchObject([{ state: 'inside', carKind: 'month', inTime: leftAt }])
  const stored = await site.readings('in')
  expect(stored.slice(0, 4).map(row => [row.state, row.isOffline])).toEqual([
    ['opened', true],
    ['refused', true],
    ['refused', true],
    ['opened', true],
  ])
})

it('a camera hears of its commands within a second, does each once, and tells what came of it', async () => {
  const waiting = entrance.poll()
  const id = await openCommand('in')
  const startedAt = performance.now()
  expect(await waiting).toEqual([id])
  expect(performance.now() - startedAt).toBeLessThan(1000)
  expect(await commandOf(id)).toEqual({ state: 30, result: '模拟道闸已开' })
  const late = await openCommand('in')
  t.advanceClock(16_000)
  const polled = entrance.poll()
  await expect.poll(async () => (await commandOf(late))?.state).toBe(50)
  closeCommandWait(t.app)
  expect(await polled).toEqual([])
})

it('a command is ended by the lane it was for alone; a camera without a barrier leaves it to the other', async () => {
  const second = await site.add('out', { opensBarrier: false })
  const auxiliary = site.simulate(await site.account(second))
  const plateNo = newPlate()
  await addCar(plateNo)
  await entrance.report({ plateNo })
  t.advanceClock(11_000)
  const answer = await auxiliary.report({ plateNo })
  expect(answer).toMatchObject({ isOpen: false, text: `${plateNo} 月租车，费用已结清` })
  expect(await auxiliary.poll()).toEqual([])
  const taken = await t.database.tx(t.ownerId, tx =>
    tx.rows<{ id: number }>(sql`
      update park_lane_command
      set state = 20
      where owner_id = ${t.ownerId} and lane_id = ${site.lanes.out.id} and state = 10
      returning id
    `),
  )
  expect(taken).toHaveLength(1)
  const { id } = defined(taken[0])
  await entrance.endCommand(id, '别的车道')
  expect(await commandOf(id)).toEqual({ state: 20 })
  await exit.endCommand(id, '已开')
  expect(await commandOf(id)).toEqual({ state: 30, result: '已开' })
})

const forgetHits = () => t.database.tx('*', tx => tx.execute(sql`delete from rate_count`))

it('a request counts once, with the right key, near its time, and nobody guesses fast (PRK-61)', async () => {
  await forgetHits()
  const account = await site.account(await site.add('in'))
  const requestOf = (
    change: Partial<{ key: string; nonce: string; timestamp: number; body: string }> = {},
  ) => {
    const { key, nonce, timestamp, body } = {
      key: account.key,
      nonce: `nonce-${++plates}`,
      timestamp: Math.floor(t.app.clock() / 1000),
      body: '',
      ...change,
    }
    const signed = {
      method: 'GET',
      path: `${account.path}/list`,
      timestamp: String(timestamp),
      nonce,
    } as const
    const signature = signatureOf(key, { ...signed, body: '' })
    const headers = { 'x-timestamp': String(timestamp), 'x-nonce': nonce, 'x-signature': signature }
    return { method: 'GET', path: `${account.path}/list`, headers, body } satisfies CameraRequest
  }
  const statusOf = async (request: CameraRequest) => (await deliver(t.app, request)).status
  const good = requestOf()
  expect([await statusOf(good), await statusOf(good)]).toEqual([200, 409])
  expect(await statusOf(requestOf({ key: 'cam_other' }))).toBe(401)
  expect(await statusOf(requestOf({ body: 'changed' }))).toBe(401)
  const old = await deliver(t.app, requestOf({ timestamp: Math.floor(t.app.clock() / 1000) - 301 }))
  expect([old.status, old.body]).toEqual([401, expect.stringContaining('serverTimestamp')])
  expect(await statusOf({ ...requestOf(), path: `${account.path.replace('vzenith', 'other')}/list` })).toBe(
    401,
  )
  const wrong = requestOf({ key: 'cam_other' })
  const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(wrong)))
  expect(statuses).toContain(429)
  expect(await statusOf(requestOf())).toBe(200)
  t.advanceClock(20 * minute)
  await tidyReadings.run(t.app)
  const nonces = await t.database
    .reader(t.ownerId)
    .rows(sql`select nonce from park_camera_nonce where owner_id = ${t.ownerId}`)
  expect(nonces).toEqual([])
})

it('a body that is not UTF-8 is signed over its bytes, and read', async () => {
  const plateNo = newPlate()
  const text = JSON.stringify(entrance.read({ plateNo }))
  // 粤 in GB 18030; the rest of the message is the same in both.
  const bytes = Buffer.concat(
    text.split('粤').flatMap((part, i) => [...(i ? [Buffer.from([0xd4, 0xc1])] : []), Buffer.from(part)]),
  )
  expect(await entrance.push(bytes)).toEqual({ status: 200, isOpen: true, text: `${plateNo} 临时车` })
})

it('a maker that cannot sign sends the key, over HTTPS alone; a new key ends the one before', async () => {
  await forgetHits()
  const camera = await site.add('in', { authMode: 'basic' })
  const account = await site.account(camera)
  const request = (key: string, scheme = 'https'): Promise<{ status: number }> =>
    deliver(
      t.app,
      {
        method: 'GET',
        path: `${account.path}/list`,
        headers: { authorization: `Basic ${Buffer.from(`${camera.serialNo}:${key}`).toString('base64')}` },
        body: '',
      },
      { origin: `${scheme}://anju.example.com`, ip: '203.0.113.5' },
    )
  expect((await request(account.key)).status).toBe(200)
  expect((await request(account.key, 'http')).status).toBe(403)
  const renewed = await site.account(camera)
  expect([(await request(account.key)).status, (await request(renewed.key)).status]).toEqual([401, 200])
  const stored = await t.database
    .reader(t.ownerId)
    .one<{ runKey: Buffer }>(
      sql`select run_key from park_camera where owner_id = ${t.ownerId} and id = ${camera.id}`,
    )
  expect(defined(stored).runKey.toString('latin1')).not.toContain(renewed.key)
  const { version } = await t.call(parkCameras.get, { id: camera.id }, me)
  await t.call(parkCameras.edit, { ...camera, version: defined(version), state: 'off' }, me)
  expect((await request(renewed.key)).status).toBe(403)
})

it('a camera is at a lane that was chosen or that names it, of a lane for both ways it says which', async () => {
  const lane = {
    projectCode,
    parkId: site.park.id,
    laneName: '西门',
    direction: 'both',
    laneType: 'vehicle',
    deviceNo: 'WEST-1',
    state: 'on',
  } as const
  const { id } = await t.call(parkLanes.add, lane, me)
  const values = { laneId: undefined, serialNo: 'WEST-1' } as const
  expect(await faultTextsOf(site.add('in', values))).toEqual({
    Way: '「西门」为出入口，请选择识别方向',
  })
  expect(await site.add('in', { ...values, way: 'out' })).toMatchObject({ laneId: id, way: 'out' })
  expect(await refusalTextOf(site.add('in', { serialNo: 'WEST-1' }))).toContain('已登记')
  expect(Object.keys(await faultTextsOf(site.add('in', { laneId: undefined })))).toEqual(['GateID'])
  expect(await refusalTextOf(t.call(parkLanes.delete, { ids: [String(id)], reason: '拆除' }, me))).toContain(
    '停车相机',
  )
})

it('a reading that breaks between any two statements is whole or not there, and is taken once (PRK-60)', async () => {
  const account = await site.account(await site.add('in'))
  const plain = site.simulate(account)
  let cuts = 0
  for (let at = 1; ; at++) {
    const plateNo = newPlate()
    const database = cutAt(t.database, at)
    const breaking = site.simulate(account, { ...t.app, database })
    const body = plain.read({ plateNo, picture })
    const isCut = await breaking.push(body).then(
      () => false,
      error => {
        if (!(error instanceof ConnectionCut)) throw error
        return true
      },
    )
    const readings = (await site.readings('in')).filter(row => row.plateNo === plateNo)
    expect(await site.stays(plateNo)).toHaveLength(readings.length)
    expect(await plain.push(body)).toMatchObject({ status: 200, isOpen: true })
    const [stay, ...others] = await site.stays(plateNo)
    expect([stay?.state, stay?.inPhoto === undefined, others]).toEqual(['inside', false, []])
    expect((await site.readings('in')).filter(row => row.plateNo === plateNo)).toHaveLength(1)
    if (!isCut) break
    cuts++
    t.advanceClock(15_000)
  }
  expect(cuts).toBeGreaterThan(8)
})

it('fifty cars at one exit at once: each has its record and its answer', async () => {
  const several = Array.from({ length: 50 }, newPlate)
  for (const plateNo of several) {
    await entrance.report({ plateNo })
  }
  t.advanceClock(20 * minute)
  const answers = await Promise.all(several.map(plateNo => exit.report({ plateNo })))
  expect(answers.every(({ status, isOpen }) => status === 200 && isOpen)).toBe(true)
  const stays = (await Promise.all(several.map(plateNo => site.stays(plateNo)))).flat()
  expect(stays.map(({ state }) => state)).toEqual(Array(50).fill('out'))
})

it('another company and another adapter know nothing of a camera, and what is no message is refused in words', async () => {
  const account = await site.account(await site.add('in'))
  const foreign = site.simulate({ ...account, path: account.path.replace(/\/\d+\//, '/999999/') })
  expect(await foreign.report({ plateNo: newPlate() })).toMatchObject({ status: 401 })
  const camera = site.simulate(account)
  expect(await camera.push({ AlarmInfoPlate: { result: {} } })).toMatchObject({
    status: 400,
    text: '识别结果没有 plateid 与 timeStamp',
  })
  const tx = async (): Promise<never> => refuse('请稍后重试')
  const database = Object.create(t.database, { tx: { value: tx } })
  const refused = site.simulate(account, { ...t.app, database })
  expect(await refused.report({ plateNo: newPlate() })).toMatchObject({ status: 503, text: '请稍后重试' })
  expect(await camera.push({ AlarmGioIn: { result: {} } })).toMatchObject({ status: 200, isOpen: false })
})
