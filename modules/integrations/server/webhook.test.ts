import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asDay } from '#kit/domain/day.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { startOfDay } from '#kit/domain/moment.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { addRole } from '#modules/accounts/contract/role.ts'
import { menu as roomsMenu } from '#modules/rooms/module.ts'
import { editRoom, getRoom, listRooms } from '#modules/rooms/contract/room.ts'
import { addResident, deleteResidents, editResident } from '#modules/residents/contract/resident.ts'
import { addTempFee, listTempItems } from '#modules/bills/contract/temporary.ts'
import { payBills, quoteBills } from '#modules/payments/contract/payment.ts'
import { asFen, formatYuan } from '#kit/domain/money.ts'
import { golden } from '#db/golden/golden-data.ts'
import {
  addWebhook,
  deleteWebhooks,
  editWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  replayDeliveries,
  rotateWebhookSecret,
  sendTestEvent,
  setWebhookState,
  skipDelivery,
} from '../contract/webhook.ts'
import { menu } from '../module.ts'
import { recordEvents } from './event-outbox.ts'
import { sendingEnded } from './webhook-delivery.ts'
import { IntegrationServers } from './integration-servers.fixtures.ts'
import { Receiver, runSampleReceiver, waitUntil } from './receiver.fixtures.ts'
import { signedHeaders } from './webhook-signature.ts'

let s: IntegrationServers
let me: { token: string }
let receiver: Receiver

const allowPrivateTargets = (value: '1' | undefined) => vi.stubEnv('WEBHOOK_PRIVATE_TARGETS', value)

beforeAll(async () => {
  allowPrivateTargets('1')
  s = await IntegrationServers.open()
})
beforeEach(async () => {
  me = await s.signIn()
  receiver = await Receiver.open()
})
afterEach(async () => {
  allowPrivateTargets('1')
  await s.app.database.tx('*', async tx => {
    await tx.execute(sql`update webhook_endpoint set state = 20, delete_tag = 1`)
    await tx.execute(sql`delete from webhook_event`)
  })
  await receiver.close()
})
afterAll(() => {
  vi.unstubAllEnvs()
  return s?.close()
})

const page = { page: 1, size: 50 }
const rooms = ['roomCreated', 'roomUpdated', 'roomDeleted'] as const

const endpointDraft = (overrides: object = {}) => ({
  name: '财务系统',
  url: receiver.url,
  eventTypes: rooms,
  allProject: true,
  ...overrides,
})
const addEndpoint = (overrides: object = {}, sender = me) =>
  s.call(addWebhook, endpointDraft(overrides), sender)

const firstRoom = async () => {
  const { rows } = await s.call(listRooms, { ...page, projectCode: 'GOLD0001' }, me)
  return s.call(getRoom, { id: defined(rows[0]).id }, me)
}

/** A change of a room: one event. */
const changeRoom = async (remark: string): Promise<Id> => {
  const room = await firstRoom()
  await s.call(editRoom, { ...room, remark }, me)
  return room.id
}

/** What is due is sent, and answered. */
const deliver = async (index: 0 | 1 = 0): Promise<void> => {
  await s.runInterval('webhooks', index)
  await sendingEnded(s.servers[index].app)
}
const deliveriesOf = async (endpointId: Id) =>
  (await s.call(listDeliveries, { ...page, endpointId: [String(endpointId)], order: 'id' }, me)).rows

it('the receiver of the documentation verifies what is sent: rooms, residents, bills, payments', async () => {
  const { id, secret } = await addEndpoint({
    eventTypes: [
      ...rooms,
      'residentCreated',
      'residentUpdated',
      'residentDeleted',
      'billCreated',
      'billUpdated',
      'paymentCreated',
    ],
  })
  const sample = await runSampleReceiver(secret)
  try {
    await s.call(editWebhook, { ...(await s.call(getWebhook, { id }, me)), url: sample.url }, me)
    const roomId = await changeRoom('验签')
    const homeProject = 'GOLD0001'
    const resident = await s.call(
      addResident,
      {
        userType: 'person',
        gender: 'unknown',
        state: 'normal',
        name: '推送人',
        mobile: '13912345678',
        homeProject,
      },
      me,
    )
    await s.call(editResident, { ...resident, remark: '改动' }, me)
    await deliver()
    await waitUntil(() => sample.events.length === 3)
    const [item] = await s.call(listTempItems, { projectCode: homeProject }, me)
    const { code: sourceCode } = await firstRoom()
    const { ids: billIds } = await s.call(
      addTempFee,
      {
        projectCode: homeProject,
        feeItemId: defined(item).id,
        amount: asFen(8050),
        sources: [{ sourceType: 'room', sourceCode: defined(sourceCode) }],
      },
      me,
    )
    const bill = { id: Number(billIds[0]), projectCode: homeProject }
    const { due } = await s.call(quoteBills, { billIds }, me)
    await s.call(
      payBills,
      {
        projectCode: bill.projectCode,
        billIds,
        expectAmount: due,
        methods: [{ method: 'cash', amount: due }],
      },
      me,
    )
    await s.call(deleteResidents, { ids: [String(resident.id)], reason: '试用结束' }, me)
    await deliver()
    await waitUntil(() => sample.events.length === 7)
    expect(sample.events.map(event => event.type)).toEqual([
      'room.updated',
      'resident.created',
      'resident.updated',
      'bill.created',
      'bill.updated',
      'payment.created',
      'resident.deleted',
    ])
    const [room, created, , , paid, payment, deleted] = sample.events
    expect(defined(paid).data).toMatchObject({ ID: bill.id, Amount: formatYuan(due) })
    expect(Object.values(defined(payment).data)).toContain(formatYuan(due))
    expect(defined(room).data).toMatchObject({ ID: roomId, ProjectCode: 'GOLD0001', Remark: '验签' })
    expect(defined(room).company).toBe(s.ownerId)
    expect(defined(deleted).data).toEqual({ ID: resident.id })
    expect(JSON.stringify(created)).not.toContain('13912345678')
  } finally {
    sample.stop()
  }
})

it('a message is signed as Standard Webhooks says, under an id that stays (HOOK-2)', async () => {
  const { id, secret } = await addEndpoint()
  receiver.answer = () => (receiver.received.length < 3 ? 500 : 200)
  await changeRoom('签名')
  await deliver()
  s.turn(5_000)
  await deliver()
  s.turn(30_000)
  await deliver()
  expect(receiver.received).toHaveLength(3)
  expect(new Set(receiver.ids).size).toBe(1)
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  for (const { headers, body } of receiver.received) {
    const timestamp = Number(headers['webhook-timestamp'])
    const expected = signedHeaders([secret], { id: String(headers['webhook-id']), timestamp, body })
    expect(headers).toMatchObject(expected)
  }
  const [delivery] = await deliveriesOf(id)
  expect(delivery).toMatchObject({ state: 'delivered', attempts: 3, statusCode: 200, answer: 'answered' })
  const whole = await s.call(getDelivery, { id: defined(delivery).id }, me)
  expect(whole.attemptLog?.map(attempt => attempt.statusCode)).toEqual([500, 500, 200])
  expect(whole.webhookId).toBe(receiver.ids[0])
})

it('events come in order, and those behind a failed one wait for it (HOOK-2)', async () => {
  const { id } = await addEndpoint()
  receiver.answer = () => (receiver.received.length === 1 ? 503 : 200)
  for (const remark of ['甲', '乙', '丙']) {
    await changeRoom(remark)
  }
  await deliver()
  expect(receiver.received).toHaveLength(1)
  await deliver()
  expect(receiver.received).toHaveLength(1)
  s.turn(5_000)
  await deliver()
  const ids = (await deliveriesOf(id)).map(row => row.id)
  expect(receiver.ids.map(text => Number(text.split('_')[2]))).toEqual([ids[0], ...ids])
})

it('one that waits can be skipped, and the others go on', async () => {
  const { id } = await addEndpoint()
  receiver.answer = () => (receiver.received.length === 1 ? 400 : 200)
  await changeRoom('一')
  await changeRoom('二')
  await deliver()
  const [first] = await deliveriesOf(id)
  await s.call(skipDelivery, { id: defined(first).id }, me)
  await deliver()
  expect((await deliveriesOf(id)).map(row => row.state)).toEqual(['skipped', 'delivered'])
})

it('one that waits is sent at once when asked, with those before it', async () => {
  const { id } = await addEndpoint()
  receiver.answer = () => (receiver.received.length === 1 ? 500 : 200)
  await changeRoom('甲')
  await changeRoom('乙')
  await deliver()
  const last = defined((await deliveriesOf(id)).at(-1))
  expect(await s.call(replayDeliveries, { ids: [String(last.id)] }, me)).toEqual({ count: 1 })
  await deliver()
  expect((await deliveriesOf(id)).map(row => row.state)).toEqual(['delivered', 'delivered'])
})

it('an endpoint shows what waits there, since when and why, and sends it at once when asked', async () => {
  const { id } = await addEndpoint()
  receiver.answer = () => 503
  await changeRoom('甲')
  await changeRoom('乙')
  expect(await s.call(getWebhook, { id }, me)).not.toHaveProperty('failingSince')
  await deliver()
  const since = defined((await deliveriesOf(id))[0]).lastTime
  expect(await s.call(getWebhook, { id }, me)).toMatchObject({
    pendingCount: 2,
    failingSince: since,
    failureReason: expect.stringContaining('503'),
    nextTime: expect.any(String),
  })
  receiver.answer = () => 200
  const ask = { endpointId: id, onlyWaiting: true }
  expect(await s.call(replayDeliveries, ask, me)).toEqual({ count: 2 })
  await deliver()
  expect((await deliveriesOf(id)).map(row => row.state)).toEqual(['delivered', 'delivered'])
  const after = await s.call(getWebhook, { id }, me)
  expect(after).toMatchObject({ pendingCount: 0 })
  expect(after).not.toHaveProperty('failureReason')
  expect(await s.call(replayDeliveries, ask, me)).toEqual({ count: 0 })
})

it('nothing is sent of what was rolled back, and nothing where nobody wants it (HOOK-1)', async () => {
  await addEndpoint({ eventTypes: ['billUpdated'] })
  await changeRoom('不推送')
  expect(await s.rows(sql<{ id: Id }>`select id from webhook_event`)).toEqual([])
  await addEndpoint()
  const room = await firstRoom()
  await expect(
    s.call(editRoom, { ...room, version: defined(room.version) - 1, remark: '旧' }, me),
  ).rejects.toThrow()
  expect(await s.rows(sql<{ id: Id }>`select id from webhook_event`)).toEqual([])
})

it('changes of one transaction are one statement, in their order, as endpoints want them (HOOK-1)', async () => {
  await addEndpoint({ eventTypes: ['paymentCreated', 'roomUpdated'] })
  let statements = 0
  await s.app.database.tx(s.ownerId, async tx => {
    const counting: Pick<Tx, 'defer'> = {
      defer: statement => {
        statements++
        tx.defer(statement)
      },
    }
    recordEvents(counting, s.ownerId, 'paymentCreated', [asId(9), asId(7)], 'GOLD0001')
    recordEvents(counting, s.ownerId, 'billUpdated', [asId(5)], 'GOLD0001')
    recordEvents(counting, s.ownerId, 'roomUpdated', [asId(8)], undefined)
  })
  expect(statements).toBe(1)
  expect(
    await s.rows(sql<object>`select type, subject_id, project_code from webhook_event order by id`),
  ).toEqual([
    { type: 'payment.created', subjectId: 9, projectCode: 'GOLD0001' },
    { type: 'payment.created', subjectId: 7, projectCode: 'GOLD0001' },
    { type: 'room.updated', subjectId: 8 },
  ])
})

it('two processes deliver every event once (HOOK-1)', async () => {
  const { id } = await addEndpoint()
  for (let i = 0; i < 8; i++) {
    await changeRoom(`第${i}次`)
  }
  await Promise.all([deliver(0), deliver(1), deliver(0), deliver(1)])
  await Promise.all([deliver(0), deliver(1)])
  expect(receiver.received).toHaveLength(8)
  expect(new Set(receiver.ids).size).toBe(8)
  expect((await deliveriesOf(id)).every(row => row.state === 'delivered')).toBe(true)
})

it('a process that died between commit and delivery loses nothing: the other sends it', async () => {
  const { id } = await addEndpoint()
  await changeRoom('提交后断电')
  const holder = 'a process that is gone'
  await deliver(0)
  await changeRoom('租约未还')
  await s.app.database.tx('*', tx =>
    tx.execute(sql`
      update webhook_endpoint
      set run_lease_holder = ${holder}, run_lease_until = ${new Date(Date.now() + 1_000_000)}
      where id = ${id}
    `),
  )
  await deliver(1)
  expect(receiver.received).toHaveLength(1)
  s.turn(1_000_001 + 60_000)
  await deliver(1)
  expect(receiver.received).toHaveLength(2)
})

it('a slow endpoint holds up no other', async () => {
  const slow = await Receiver.open()
  slow.answer = () => ({ afterMs: 3_000 })
  try {
    await addEndpoint({ name: '慢', url: slow.url })
    await addEndpoint({ name: '快' })
    await changeRoom('快慢')
    const startedAt = performance.now()
    await s.runInterval('webhooks')
    await waitUntil(() => receiver.received.length === 1)
    expect(performance.now() - startedAt).toBeLessThan(1_500)
    await sendingEnded(s.app)
  } finally {
    await slow.close()
  }
})

it('after three days of failure it is stopped and its administrators are notified; failed ones are sent again (HOOK-3)', async () => {
  const { id } = await addEndpoint()
  receiver.answer = () => 500
  await changeRoom('一直失败')
  for (let i = 0; i < 14; i++) {
    await deliver()
    s.turn(24 * 3_600_000)
  }
  me = await s.signIn()
  expect(receiver.received).toHaveLength(13)
  expect(await s.call(getWebhook, { id }, me)).toMatchObject({ state: 'failed' })
  const notices = await s.rows(sql<{ title: string }>`
    select title from notification where kind = 'integrations.webhook'
  `)
  expect(notices.map(row => row.title)).toContain('事件推送「财务系统」已自动停用')
  receiver.answer = () => 200
  await s.call(setWebhookState, { id, isOn: true }, me)
  const { count } = await s.call(replayDeliveries, { endpointId: id, onlyFailed: true }, me)
  expect(count).toBe(1)
  await deliver()
  expect((await deliveriesOf(id)).map(row => row.state)).toEqual(['delivered'])
  expect(new Set(receiver.ids).size).toBe(1)
})

it('a receiver that has retired (410) gets nothing more', async () => {
  const { id } = await addEndpoint()
  receiver.answer = () => 410
  await changeRoom('410')
  await deliver()
  expect(await s.call(getWebhook, { id }, me)).toMatchObject({ state: 'failed' })
})

it('redirects are not followed, and silence is a failure', async () => {
  const { id } = await addEndpoint()
  receiver.answer = () => 302
  await changeRoom('重定向')
  await deliver()
  expect((await deliveriesOf(id))[0]?.reason).toContain('不跟随重定向')
  const closed = await Receiver.open()
  const { url } = closed
  await closed.close()
  await s.call(editWebhook, { ...(await s.call(getWebhook, { id }, me)), url }, me)
  s.turn(5_000)
  await deliver()
  expect((await deliveriesOf(id))[0]).toMatchObject({ state: 'pending', attempts: 2 })
  expect((await deliveriesOf(id))[0]?.reason).toContain('ECONNREFUSED')
})

it('nothing is sent into private networks unless the setting allows it, whatever a name resolves to', async () => {
  await addEndpoint()
  await changeRoom('内网')
  allowPrivateTargets(undefined)
  await deliver()
  expect(receiver.received).toEqual([])
  const refused = async (url: string) => (await s.callRaw(addWebhook, endpointDraft({ url }), me)).envelope
  for (const url of [
    'http://example.com/',
    'https://127.0.0.1/',
    'https://10.1.2.3/',
    'https://[::1]/',
    'https://[::ffff:192.168.1.1]/',
    'https://169.254.169.254/latest',
    'https://localhost/',
    'https://user:word@example.com/',
    'ftp://example.com',
    'example.com',
    'https://2130706433/',
  ]) {
    expect([url, (await refused(url)).Code]).toEqual([url, resultCode.invalidInput])
  }
  allowPrivateTargets('1')
  expect((await refused('http://169.254.169.254/latest')).Code).toBe(resultCode.invalidInput)
})

it('a secret is replaced with a day of overlap, and is nowhere in the open', async () => {
  const { id, secret } = await addEndpoint()
  const { secret: next } = await s.call(rotateWebhookSecret, { id }, me)
  await s.call(sendTestEvent, { id }, me)
  await deliver()
  const both = defined(receiver.received[0]).headers
  expect(String(both['webhook-signature']).split(' ')).toHaveLength(2)
  s.turn(25 * 3_600_000)
  me = await s.signIn()
  await s.call(sendTestEvent, { id }, me)
  await deliver()
  const { headers, body } = defined(receiver.received[1])
  const message = { id: String(headers['webhook-id']), timestamp: Number(headers['webhook-timestamp']), body }
  expect(headers['webhook-signature']).toBe(signedHeaders([next], message)['webhook-signature'])
  expect(JSON.parse(body)).toMatchObject({ type: 'webhook.test' })
  for (const table of ['webhook_endpoint', 'idempotent_request', 'audit_log', 'operation_log']) {
    for (const text of [secret, next]) {
      const found = await s.rows(sql<{ n: number }>`
        select count(*)::integer as n from ${sql.table(table)} t where t::text like ${`%${text.slice(6)}%`}
      `)
      expect([table, found[0]?.n]).toEqual([table, 0])
    }
  }
})

it('an endpoint hears of its projects alone, and its maker must see what is sent', async () => {
  const { id } = await addEndpoint({ allProject: false, projectCodes: ['GOLD0002'] })
  await changeRoom('别的项目')
  await deliver()
  expect(await deliveriesOf(id)).toEqual([])
  const limited = await s.signIn(golden.first.estateOnly)
  await expect(addEndpoint({}, limited)).rejects.toThrow('全部项目')
})

it('the log of what was sent tells no more than its reader may see (HOOK-4)', async () => {
  const { id } = await addEndpoint({ eventTypes: [...rooms, 'residentUpdated'] })
  const other = await addEndpoint({ name: '一期', allProject: false, projectCodes: ['GOLD0001'] })
  await changeRoom('他人不可见')
  await deliver()
  const [wide] = await deliveriesOf(id)
  const [narrow] = await deliveriesOf(other.id)
  const limited = await s.signIn(golden.first.estateOnly)
  const codeFor = async (...args: Parameters<IntegrationServers['callRaw']>) =>
    (await s.callRaw(...args)).envelope.Code
  const deliveryIds = async (endpointId: Id, sender: { token: string }) =>
    (await s.call(listDeliveries, { ...page, endpointId: [String(endpointId)] }, sender)).rows.map(
      row => row.id,
    )
  const [wideId, narrowId] = [defined(wide).id, defined(narrow).id]
  expect(await deliveryIds(id, limited)).toEqual([])
  expect(await codeFor(getDelivery, { id: wideId }, limited)).toBe(resultCode.forbidden)
  expect(await s.call(replayDeliveries, { ids: [String(wideId)] }, limited)).toEqual({ count: 0 })
  expect(await codeFor(rotateWebhookSecret, { id }, limited)).toBe(resultCode.forbidden)
  const narrowed = { ...endpointDraft(), id, allProject: false, projectCodes: ['GOLD0001'] }
  expect(await codeFor(editWebhook, narrowed, limited)).toBe(resultCode.forbidden)
  expect(await deliveryIds(other.id, limited)).toEqual([narrowId])
  expect((await s.call(getDelivery, { id: narrowId }, limited)).body).toContain('他人不可见')

  // The endpoint had more projects once: what was sent of them stays hidden.
  await s.app.database.tx('*', tx =>
    tx.execute(sql`
      update webhook_delivery
      set subject_id = (select min(id) from room where owner_id = ${s.ownerId} and project_code = 'GOLD0002')
      where id = ${narrowId}
    `),
  )
  expect((await s.call(getDelivery, { id: narrowId }, limited)).body).toBeUndefined()
  expect((await s.call(getDelivery, { id: narrowId }, me)).body).toContain('他人不可见')
})

it('the log shows events of records that its reader has the permission for, and no others (HOOK-4)', async () => {
  const { id } = await addEndpoint({ eventTypes: [...rooms, 'residentUpdated'] })
  const roomId = await changeRoom('有权限')
  await deliver()
  await s.app.database.tx('*', tx =>
    tx.execute(sql`
      insert into webhook_delivery (
        owner_id, endpoint_id, type, subject_id, event_time, state, attempts, body
      )
      values (${s.ownerId}, ${id}, 'resident.updated', ${roomId}, now(), 20, 1, '{}')
    `),
  )
  const { view, replay } = menu.webhook.permissions
  const { view: viewRooms } = roomsMenu.room.permissions
  const role = await s.call(
    addRole,
    { roleName: '对接管理', needTotp: false, permissions: [view.key, replay.key, viewRooms.key] },
    me,
  )
  const login = golden.first.ofRole('service')
  await s.app.database.tx('*', tx =>
    tx.execute(sql`
      update manager
      set role_ids = ${[String(role.id)]}::text[], all_project = true
      where owner_id = ${s.ownerId} and login_code = ${login}
    `),
  )
  const reader = await s.signIn(login)
  const { rows } = await s.call(listDeliveries, { ...page, endpointId: [String(id)] }, reader)
  expect(rows.map(row => row.type)).toEqual(['room.updated'])
  const hidden = defined((await deliveriesOf(id)).find(row => row.type === 'resident.updated'))
  await expect(s.call(getDelivery, { id: hidden.id }, reader)).rejects.toThrow('超出你的权限')
  const replayed = { endpointId: id, timeFrom: startOfDay(asDay('2026-01-01')) }
  expect(await s.call(replayDeliveries, replayed, reader)).toEqual({ count: 1 })
})

it('for a stopped company nothing is sent until it works again', async () => {
  await addEndpoint()
  await changeRoom('公司停用')
  const setState = (state: number) =>
    s.app.database.tx('*', tx =>
      tx.execute(sql`update property set state = ${state}::smallint where owner_id = ${s.ownerId}`),
    )
  await setState(30)
  await s.runInterval('webhooks')
  await sendingEnded(s.app)
  expect(receiver.received).toEqual([])
  await setState(10)
  await s.runInterval('webhooks')
  await sendingEnded(s.app)
  expect(receiver.received).toEqual([])
  s.turn(61_000)
  await deliver()
  expect(receiver.received).toHaveLength(1)
})

it('a backlog of 100,000 events is handed out in sets', { timeout: 120_000 }, async () => {
  const { id } = await addEndpoint()
  await s.app.database.tx(s.ownerId, tx =>
    tx.execute(sql`
      insert into webhook_event (owner_id, type, subject_id, project_code)
      select ${s.ownerId}::bigint, 'room.deleted', n, 'GOLD0001' from generate_series(1, 100000) n
      returning id
    `),
  )
  receiver.answer = () => 'never'
  const startedAt = performance.now()
  for (let i = 0; i < 10; i++) {
    await s.runInterval('webhooks')
  }
  const seconds = (performance.now() - startedAt) / 1000
  const counted = await s.rows(sql<{ n: number }>`
    select count(*)::integer as n from webhook_delivery where endpoint_id = ${id}
  `)
  expect(counted[0]?.n).toBe(100_000)
  expect(seconds).toBeLessThan(30)
  await receiver.close()
  await sendingEnded(s.app)
  receiver = await Receiver.open()
  await s.call(editWebhook, { ...(await s.call(getWebhook, { id }, me)), url: receiver.url }, me)
  s.turn(5_000)
  const sendingAt = performance.now()
  await s.runInterval('webhooks')
  await waitUntil(() => receiver.received.length >= 500, 60_000)
  const perSecond = 500 / ((performance.now() - sendingAt) / 1000)
  process.stdout.write(`handed out in ${seconds.toFixed(1)} s, sent ${Math.round(perSecond)} a second\n`)
  await s.call(deleteWebhooks, { ids: [String(id)], reason: '试用结束' }, me)
  await sendingEnded(s.app)
})
