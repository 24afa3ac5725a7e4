import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { codeOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { addDays } from '#kit/domain/day.ts'
import { addMinutes, dayOfMoment, momentAt } from '#kit/domain/moment.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { sql } from '#kit/server/db.ts'
import { seedBillRows, seedFeeItem } from '#modules/bills/server/fixtures.ts'
import type { Audience } from '../contract/audience.ts'
import { smsBlocks } from '../contract/block.ts'
import { messageState } from '../contract/choices.ts'
import { outgoingMessages, settleMessage } from '../contract/message.ts'
import { getUsableSms, smsLedgers } from '../contract/quota.ts'
import {
  cancelPropertySms,
  countMassSms,
  propertySmses,
  resendPropertySms,
  sendPropertySms,
} from '../contract/task.ts'
import { reviewSmsTemplate, smsTemplates } from '../contract/template.ts'
import { claimMessages, startMessages } from './claim.ts'
import { dispatchMessages, settleMessages } from './dispatcher.ts'
import { MessagingSite } from './messaging.fixtures.ts'
import { cancelMessages, messageFigures } from './queue.ts'
import { countAudience, sampleAudience } from './reach.ts'
import { bookEarlyReports } from './receive-reports.ts'
import { sendNow } from './send-now.ts'

const projectCode = 'GOLD0001'
const ofProject: Audience = { scopeType: 'projects', scopeJson: { projectCodes: [projectCode] } }
let s: MessagingSite

beforeAll(async () => {
  s = await MessagingSite.open()
})

beforeEach(() => {
  s.answer = () => 'ok'
  s.whileSending = async () => undefined
  s.sent.length = 0
  s.outcomes.length = 0
})

afterAll(() => s?.close())

const stateOf = (key: keyof typeof messageState.rows) => codeOf(messageState, key)
const dispatch = () => dispatchMessages(s.t.app)

async function assertQuota(): Promise<void> {
  const { total, used, frozen, usedByMessages, frozenByMessages, usableByLedger } = await s.quota()
  expect({ used, frozen, usable: total - used - frozen }).toEqual({
    used: usedByMessages,
    frozen: frozenByMessages,
    usable: usableByLedger,
  })
}

it('an audience is counted by channel, with those who fall out and why', async () => {
  const { people, channels } = await countAudience(s.db(), s.scope(), ofProject, ['sms', 'wechat', 'email'])
  expect(people).toBeGreaterThan(20)
  for (const { reachable, excluded } of channels) {
    expect(reachable + excluded.reduce((sum, each) => sum + each.count, 0)).toBe(people)
  }
  const narrow = { ...s.scope(), domain: { all: false, projects: new Map([[projectCode, null]]) } }
  expect((await countAudience(s.db(), narrow, { scopeType: 'all' }, ['sms'])).people).toBe(people)
  const elsewhere = { ...narrow, domain: { all: false, projects: new Map([['ELSE', null]]) } }
  expect((await countAudience(s.db(), elsewhere, ofProject, ['sms'])).people).toBe(0)
})

/** An overdue bill of an inhabited room. */
const oweSomething = () =>
  s.t.database.tx(s.t.ownerId, async tx => {
    const room = await tx.one<{ code: string; project: string }>(sql`
      select r.code, r.project_code as project
      from user_room l
      join room r on r.owner_id = ${s.t.ownerId} and r.id = l.room_id
      join resident u on u.owner_id = ${s.t.ownerId} and u.id = l.user_id and u.state = 10
      where l.owner_id = ${s.t.ownerId} and l.status = 20 and l.delete_tag = 0
      order by l.id
      limit 1
    `)
    const item = await seedFeeItem(tx, s.t.ownerId, 'OWED')
    await seedBillRows(tx, s.t.ownerId, item, [{ source: defined(room).code, due: '2026-01-31' }])
  })

it('an audience is narrowed to those who owe so much, over so many months', async () => {
  const count = async (values: object) => {
    const audience = { ...ofProject, scopeJson: { ...ofProject.scopeJson, ...values } } as Audience
    return (await countAudience(s.db(), s.scope(), audience, ['sms'])).people
  }
  expect(await count({ arrearsMonths: 1 })).toBe(0)
  await oweSomething()
  expect(await count({ arrearsMonths: 1 })).toBeGreaterThan(0)
  expect(await count({ arrearsAmount: 30_000 })).toBeGreaterThan(0)
  expect(await count({ arrearsAmount: 30_001 })).toBe(0)
  expect(await count({ arrearsMonths: 2 })).toBe(0)
})

it.each([['owners alone', { relations: ['owner'] }]] as const)(
  'an audience is narrowed to %s',
  async (_, values) => {
    const { people } = await countAudience(s.db(), s.scope(), ofProject, ['sms'])
    const audience = { ...ofProject, scopeJson: { ...ofProject.scopeJson, ...values } } as Audience
    const narrowed = await countAudience(s.db(), s.scope(), audience, ['sms'])
    expect(narrowed.people).toBeGreaterThan(0)
    expect(narrowed.people).toBeLessThan(people)
  },
)

it('rooms, buildings, units, departments and named people are chosen', async () => {
  const home = defined(
    await s.db().one<{
      room: string
      building: string
      unit: string
      user: string
      staff: string
      department: string
    }>(sql`
      select r.id::text as room, r.project_code || '/' || r.build_code as building,
        r.project_code || '/' || r.build_code || '/' || r.unit_name as unit, l.user_id::text as user,
        p.id::text as staff, p.department_id::text as department
      from user_room l
      join room r on r.owner_id = l.owner_id and r.id = l.room_id
      join resident u on u.owner_id = l.owner_id and u.id = l.user_id and u.state = 10 and u.delete_tag = 0
      join staff p on p.owner_id = l.owner_id and p.department_id is not null and p.state = 10
      where l.owner_id = ${s.t.ownerId} and l.status = 20 and l.delete_tag = 0
      order by l.id, p.id
      limit 1
    `),
  )
  const count = async (audience: Audience) =>
    (await countAudience(s.db(), s.scope(), audience, ['sms'])).people
  const inRoom = await count({ scopeType: 'rooms', scopeJson: { roomIds: [home.room] } })
  const inUnit = await count({ scopeType: 'units', scopeJson: { units: [home.unit] } })
  const inBuilding = await count({ scopeType: 'buildings', scopeJson: { buildingCodes: [home.building] } })
  expect(inRoom).toBeGreaterThan(0)
  expect(inUnit).toBeGreaterThanOrEqual(inRoom)
  expect(inBuilding).toBeGreaterThanOrEqual(inUnit)
  expect(
    await count({ scopeType: 'departments', scopeJson: { departmentIds: [home.department] } }),
  ).toBeGreaterThan(0)
  const named = { userIds: [home.user, home.user], staffIds: [home.staff] }
  expect(await count({ scopeType: 'persons', scopeJson: named })).toBe(2)
})

it('two dispatchers at once: each message goes out once, and its module hears of it', async () => {
  const [first] = await sampleAudience(s.db(), s.scope(), ofProject, 'sms', 1)
  const { bizId, queued, segments } = await s.queue([{ kind: 'resident', id: defined(first).receiverId }])
  expect({ queued, segments }).toEqual({ queued: 1, segments: 1 })
  await assertQuota()
  await Promise.all([dispatch(), dispatch(), dispatch()])
  expect(s.sent.map(({ address, content }) => [address, content])).toEqual([
    [first?.address, `${first?.name}：明日停水。`],
  ])
  expect(s.outcomes).toMatchObject([{ bizId, state: 'sent', channel: 'sms', receiverKind: 'resident' }])
  expect(await messageFigures(s.db(), s.scope(), 'messaging.test', [bizId])).toMatchObject([
    { sent: 1, queued: 0 },
  ])
})

it('a name that carries a link, a number or a variable is not put into the message', async () => {
  const refused = [
    'http://t.cn/x',
    '{room}',
    'evil。com',
    'ｈｔｔｐ：／／ｅ．ｃｎ',
    '加VX13800000000领奖',
    'ＶＸ１３８００００００００',
    'e.cn/x',
  ]
  const kept = ['王芳', 'J. Smith', '张三/李四', '阿卜杜·热合曼']
  const to = [...refused, ...kept].map((name, i) => ({
    kind: 'number' as const,
    id: asId(0),
    name,
    mobile: `139111100${String(70 + i)}`,
  }))
  const { bizId } = await s.queue(to)
  const contents = (await s.messages(bizId)).map(({ content }) => content)
  expect(contents).toEqual([
    ...refused.map(() => '住户：明日停水。'),
    ...kept.map(name => `${name}：明日停水。`),
  ])
})

it('rooms and projects are named by the company: whole, but for links and control characters', async () => {
  const rooms = ['A.101', '1/101', '101-1.2', `${'长'.repeat(40)}101`, 'B座\n101 http://e.cn/x']
  const to = rooms.map((room, i) => ({
    kind: 'number' as const,
    id: asId(0),
    room,
    projectCode,
    mobile: `139111100${String(90 + i)}`,
  }))
  const rename = (name: string) =>
    s.t.database.tx(s.t.ownerId, tx =>
      tx.one<{ name: string }>(sql`
        update estate set name = ${name} where owner_id = ${s.t.ownerId} and project_code = ${projectCode}
        returning name
      `),
    )
  const before = await s.db().one<{ name: string }>(sql`
    select name from estate where owner_id = ${s.t.ownerId} and project_code = ${projectCode}
  `)
  await rename('No.1公馆')
  const { bizId } = await s.queue(to, { message: { title: '停水', text: '{project}{room}停水' } })
  await rename(defined(before).name)
  expect((await s.messages(bizId)).map(({ content }) => content)).toEqual([
    ...rooms.slice(0, 4).map(room => `No.1公馆${room}停水`),
    'No.1公馆B座101 停水',
  ])
})

it('SMS-3: marketing says how to opt out, and that counts', async () => {
  const sale = (text: string) =>
    s.queue(s.numbers('13911110061'), { source: 'messaging.testSale', message: { title: '促销', text } })
  const added = await sale('水'.repeat(62))
  expect(added.segments).toBe(2)
  expect((await s.messages(added.bizId))[0]?.content).toBe(`${'水'.repeat(62)}，回T退订`)
  const own = await sale('促销。拒收请回复退订')
  expect((await s.messages(own.bizId))[0]?.content).toBe('促销。拒收请回复退订')
  const draft = {
    taskName: '促销',
    channel: 'sms',
    purpose: 'marketing',
    scopeType: 'numbers',
    scopeJson: { mobiles: ['13911110062'] },
    content: '促销！',
  } as const
  expect(await s.t.call(countMassSms, draft, s.me)).toMatchObject({ samples: [{ content: '促销！回T退订' }] })
  expect(await s.t.call(sendPropertySms, draft, s.me)).toMatchObject({ content: '促销！回T退订' })
  const day = addDays(dayOfMoment(s.now()), 2)
  const atNight = { ...draft, sendTime: momentAt(day, '22:30') }
  expect(await s.t.call(sendPropertySms, atNight, s.me)).toMatchObject({
    sendTime: momentAt(addDays(day, 1), '08:00'),
  })
  const longest = { ...draft, content: '水'.repeat(500) }
  expect(await faultTextsOf(s.t.call(sendPropertySms, longest, s.me))).toEqual({
    Content: '营销短信含“回T退订”不能超过 500 个字',
  })
})

it('SMS-3: a marketing template is sent as marketing, whatever the caller calls it', async () => {
  const mobile = '13911110063'
  await s.t.call(smsBlocks.add, { mobile, kind: 'optOut', reason: '来电退订' }, s.me)
  const values = { templateName: '促销', purpose: 'marketing', content: '促销' } as const
  expect(await faultTextsOf(s.t.call(smsTemplates.add, values, s.me))).toEqual({
    Content: '营销短信应注明退订方式，请在末尾加「回T退订」',
  })
  const { id: templateId } = await s.t.call(smsTemplates.add, { ...values, content: '促销，回T退订' }, s.me)
  await s.t.call(reviewSmsTemplate, { id: templateId, state: 'approved', providerCode: 'SMS_88' }, s.me)
  const draft = {
    taskName: '促销',
    channel: 'sms',
    purpose: 'service',
    scopeType: 'numbers',
    scopeJson: { mobiles: [mobile, '13911110064'] },
    templateId,
  } as const
  expect(await s.t.call(countMassSms, draft, s.me)).toMatchObject({ people: 2, numberCount: 1 })
  expect(await s.t.call(sendPropertySms, draft, s.me)).toMatchObject({ purpose: 'marketing', numberCount: 1 })
})

it('SMS-1: the database counts segments as the domain does', async () => {
  const texts = ['水'.repeat(66), '水'.repeat(67), `${'水'.repeat(65)}𠮷`, '水'.repeat(131)]
  const counted: number[] = []
  for (const text of texts) {
    const { segments } = await s.queue(s.numbers('13911110011'), { message: { title: '长度', text } })
    counted.push(segments)
  }
  expect(counted).toEqual([1, 2, 2, 3])
})

it('SMS-2: too little quota refuses, and queues nothing', async () => {
  const { usableCount } = await s.t.call(getUsableSms, undefined, s.me)
  const mobiles = Array.from({ length: usableCount + 1 }, (_, i) => `138${String(10_000_000 + i)}`)
  const before = await s.quota()
  expect(await refusalMessageOf(s.queue(s.numbers(...mobiles)))).toBe(
    `短信余量不足：需 ${usableCount + 1} 条，可用 ${usableCount} 条，请先购买短信，或减少接收人`,
  )
  expect(await s.quota()).toEqual(before)
})

const cancel = (bizId: Id) =>
  s.t.database.tx(s.t.ownerId, tx =>
    cancelMessages({ tx, scope: s.scope(), now: s.now() }, 'messaging.test', bizId),
  )

it('what is taken back returns its quota; what a sender has stays', async () => {
  const { bizId } = await s.queue(s.numbers('13911110021', '13911110022'))
  expect(await cancel(bizId)).toBe(2)
  expect(await cancel(bizId)).toBe(0)
  await dispatch()
  expect(s.sent.map(({ address }) => address)).not.toContain('13911110021')
  await assertQuota()
})

it('what is stopped while senders have it is not tried again; what they have not begun goes out never', async () => {
  const { bizId } = await s.queue(s.numbers(...Array.from({ length: 40 }, (_, i) => `139333300${10 + i}`)))
  let stopped: Promise<number> | undefined
  let begun: string | undefined
  // Stopped while the first that begins is with the provider, which takes that one and puts off the others.
  s.whileSending = ({ address }) => {
    begun ??= address
    return (stopped ??= cancel(bizId))
  }
  s.answer = ({ address }) => (address === begun ? 'ok' : 'later')
  await dispatch()
  expect(await stopped).toBe(40)
  const messages = await s.messages(bizId)
  const accepted = messages.find(({ address }) => address === begun)
  const others = messages.filter(message => message !== accepted)
  expect(accepted).toMatchObject({ state: stateOf('sent'), quota: 10 })
  expect(others).toHaveLength(39)
  expect(others.every(({ state, quota }) => state === stateOf('cancelled') && quota === 30)).toBe(true)
  expect(s.outcomes.filter(({ state }) => state === 'cancelled').length).toBeGreaterThan(0)
  await assertQuota()
})

/** A process takes what is due and dies; of the first it had begun the call. */
async function dieAfterTaking(begun: number): Promise<void> {
  const claimed = await claimMessages(s.t.app, s.t.ownerId, 'sms', s.now(), 100)
  const started = await startMessages(s.t.app, s.t.ownerId, claimed.slice(0, begun))
  expect(started.size).toBe(Math.min(begun, claimed.length))
}

it('what a dead sender had not begun is sent by another; of the rest nobody knows', async () => {
  const { bizId } = await s.queue(s.numbers('13944440001', '13944440002', '13944440003'))
  const states = async () => (await s.messages(bizId)).map(({ state }) => state)
  await dieAfterTaking(1)
  await settleMessages(s.t.app)
  expect(await states()).toEqual(Array(3).fill(stateOf('sending')))
  s.t.advanceClock(3 * 60_000)
  await settleMessages(s.t.app)
  await dispatch()
  expect(s.sent.map(({ address }) => address)).toEqual(['13944440002', '13944440003'])
  s.t.advanceClock(8 * 60_000)
  await settleMessages(s.t.app)
  expect(await states()).toEqual([stateOf('unclear'), stateOf('sent'), stateOf('sent')])
  await assertQuota()
})

it('a sender that was slow does not send what was taken back from it', async () => {
  const { bizId } = await s.queue(s.numbers('13944440011'))
  const claimed = await claimMessages(s.t.app, s.t.ownerId, 'sms', s.now(), 100)
  s.t.advanceClock(3 * 60_000)
  await settleMessages(s.t.app)
  expect((await startMessages(s.t.app, s.t.ownerId, claimed)).size).toBe(0)
  await dispatch()
  expect((await startMessages(s.t.app, s.t.ownerId, claimed)).size).toBe(0)
  expect(s.sent.filter(({ address }) => address === '13944440011')).toHaveLength(1)
  expect((await s.messages(bizId)).map(({ state }) => state)).toEqual([stateOf('sent')])
})

it('reports come twice, late and forged: each message is booked once', async () => {
  const { bizId } = await s.queue(s.numbers('13911110031', '13911110032', '13911110033'))
  await dispatch()
  const [one, two, three] = await s.messages(bizId)
  const report = (id: unknown, mobile: string, success: boolean) => ({
    phone_number: mobile,
    success,
    biz_id: `r${s.t.ownerId}-${String(id)}`,
    out_id: `${s.t.ownerId}-${String(id)}`,
    err_msg: success ? '用户接收成功' : '空号',
  })
  expect(await s.post(0, [report(one?.id, '13911110031', true)], 'guess')).toEqual({ status: 404 })
  await s.post(0, [report(one?.id, '13911110099', true)])
  expect((await s.messages(bizId)).map(({ state }) => state)).toEqual(Array(3).fill(stateOf('sent')))
  const all = [report(one?.id, '13911110031', true), report(two?.id, '13911110032', false)]
  await Promise.all([s.post(0, all), s.post(0, all)])
  await s.post(0, all)
  // Tencent Cloud names its own number alone.
  await s.post(0, [{ mobile: '13911110033', report_status: 'SUCCESS', sid: `r${s.t.ownerId}-${three?.id}` }])
  const quotas = (await s.messages(bizId)).map(({ state, quota }) => [state, quota])
  expect(quotas).toEqual([
    [stateOf('delivered'), 20],
    [stateOf('failed'), 30],
    [stateOf('delivered'), 20],
  ])
  expect(s.outcomes.filter(({ state }) => state === 'delivered')).toHaveLength(2)
  await assertQuota()
  expect(await s.post(0, 'nonsense')).toMatchObject({ type: 'application/json' })
})

it('a report that comes before the answer of the send call is booked when the message is known', async () => {
  const { bizId } = await s.queue(s.numbers('13911110051', '13911110052'))
  const report = (id: Id, mobile: string, isDelivered: boolean) => ({
    mobile,
    report_status: isDelivered ? 'SUCCESS' : 'FAIL',
    sid: `r${s.t.ownerId}-${id}`,
    description: '空号',
  })
  s.whileSending = ({ id, address }) =>
    s.post(0, [report(id, address, address === '13911110051'), report(id, '13911110099', true)])
  await dispatch()
  const states = async () => (await s.messages(bizId)).map(({ state, quota }) => [state, quota])
  expect(await states()).toEqual([
    [stateOf('sent'), 10],
    [stateOf('sent'), 10],
  ])
  await bookEarlyReports(s.t.app)
  expect(await states()).toEqual([
    [stateOf('delivered'), 20],
    [stateOf('failed'), 30],
  ])
  await assertQuota()
  const kept = () => s.t.database.reader('*').rows(sql`select address from message_early_report`)
  expect(await kept()).toEqual([{ address: '13911110099' }, { address: '13911110099' }])
  await s.t.database.tx('*', tx =>
    tx.execute(sql`update message_early_report set receive_time = receive_time - interval '25 hours'`),
  )
  await bookEarlyReports(s.t.app)
  expect(await kept()).toEqual([])
})

it('SMS-3: who answers 退订 gets no marketing of the companies that sent it, and service messages still', async () => {
  const sale = { source: 'messaging.testSale' }
  const mobile = '13911110041'
  await s.queue(s.numbers(mobile), sale)
  await s.post(1, [{ phone_number: mobile, content: 'TD' }])
  const { rows } = await s.t.call(smsBlocks.list, { page: 1, size: 10 }, s.me)
  expect(rows[0]).toMatchObject({ kind: 'optOut', origin: 'reply', mobile: expect.stringContaining('****') })
  expect(await s.queue(s.numbers(mobile), sale)).toMatchObject({
    queued: 0,
    excluded: [{ reason: 'optedOut', count: 1 }],
  })
  expect(await s.queue(s.numbers(mobile))).toMatchObject({ queued: 1 })
  await s.t.call(
    smsBlocks.edit,
    { id: defined(rows[0]).id, mobile, kind: 'blackListed', reason: '投诉' },
    s.me,
  )
  expect(await s.queue(s.numbers(mobile))).toMatchObject({ excluded: [{ reason: 'blackListed', count: 1 }] })
  expect(
    await sendNow(s.t.app, s.t.ownerId, {
      source: 'messaging.test',
      bizId: asId(1),
      channel: 'sms',
      address: mobile,
      receiver: { kind: 'number', id: 0 },
      title: '',
      text: '催缴',
    }),
  ).toMatchObject({ state: 'refused' })
})

it('a sender that dies leaves a message of which nobody knows; it is not sent again, its report settles it', async () => {
  const { bizId } = await s.queue(s.numbers('13911110051', '13911110052', '13911110053'))
  await s.t.database.tx(s.t.ownerId, tx =>
    tx.execute(sql`
      update outgoing_message
      set state = 20, attempts = 1, run_claim = ${addMinutes(s.now(), -11)}::timestamptz
      where owner_id = ${s.t.ownerId} and biz_id = ${bizId} and state = 10
    `),
  )
  await dispatch()
  expect(s.sent.filter(({ address }) => address.startsWith('1391111005'))).toEqual([])
  await settleMessages(s.t.app)
  const [one, two, three] = await s.messages(bizId)
  expect(one).toMatchObject({ state: stateOf('unclear'), quota: 10 })
  const out = {
    phone_number: '13911110051',
    success: true,
    biz_id: 'x1',
    out_id: `${s.t.ownerId}-${one?.id}`,
  }
  await s.post(0, [out])
  const settled = await s.t.call(
    settleMessage,
    { id: defined(two).id, state: 'failed', reason: '服务商无此记录' },
    s.me,
  )
  expect(settled).toMatchObject({ state: 'failed', quota: 'returned' })
  await s.t.database.tx(s.t.ownerId, tx =>
    tx.execute(sql`
      update outgoing_message
      set run_claim = ${addMinutes(s.now(), -73 * 60)}::timestamptz
      where owner_id = ${s.t.ownerId} and id = ${three?.id ?? 0}
    `),
  )
  await settleMessages(s.t.app)
  expect((await s.messages(bizId)).map(({ state }) => state)).toEqual([
    stateOf('delivered'),
    stateOf('failed'),
    stateOf('failed'),
  ])
  await assertQuota()
})

it('a provider that is away stops the run: the rest waits, and nothing is lost', async () => {
  const { bizId } = await s.queue(s.numbers(...Array.from({ length: 40 }, (_, i) => `137111100${10 + i}`)))
  s.answer = () => 'server'
  await dispatch()
  const waiting = await s.messages(bizId)
  expect(waiting.every(({ state, quota }) => state === stateOf('queued') && quota === 10)).toBe(true)
  expect(waiting[0]?.failReason).toBe('provider: server')
  await assertQuota()
})

it('SMS-2: whatever fails, no message goes out twice, none is lost, and the quota adds up', async () => {
  let seed = 20_261_130
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31
  }
  const kinds = ['ok', 'ok', 'ok', 'later', 'address', 'refused', 'unclear', 'crash'] as const
  s.answer = () => defined(kinds[Math.floor(random() * kinds.length)])
  const businesses: Awaited<ReturnType<typeof s.queue>>[] = []
  for (let round = 0; round < 8; round++) {
    const mobiles = Array.from({ length: 6 }, (_, i) => `136222${String(round * 10 + i).padStart(5, '0')}`)
    businesses.push(await s.queue(s.numbers(...mobiles)))
    await Promise.all([dispatch(), dispatch()])
    const reports = s.sent
      .filter(() => random() < 0.6)
      .map(({ ownerId, id, address }) => ({
        phone_number: address,
        success: random() < 0.7,
        biz_id: `r${ownerId}-${id}`,
        out_id: `${ownerId}-${id}`,
      }))
    await Promise.all([s.post(0, reports), s.post(0, reports), assertQuota()])
    await assertQuota()
  }
  const ids = s.sent.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const all = (await Promise.all(businesses.map(({ bizId }) => s.messages(bizId)))).flat()
  expect(all).toHaveLength(48)
  const waits = all.filter(({ state }) => state === stateOf('queued')).map(({ id }) => id)
  expect(waits.filter(id => ids.includes(id))).toEqual([])
}, 60_000)

it('SMS-2: twenty sends at once never reserve more than there is', async () => {
  await s.t.database.tx(s.t.ownerId, tx =>
    tx.execute(sql`
      update sms_account set total_count = used_count + frozen_count + 12 where owner_id = ${s.t.ownerId}
    `),
  )
  const sends = Array.from({ length: 20 }, (_, i) => s.queue(s.numbers(`1355555${1000 + i}`)))
  const results = await Promise.allSettled(sends)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(12)
  expect((await s.t.call(getUsableSms, undefined, s.me)).usableCount).toBe(0)
  await s.t.database.tx(s.t.ownerId, tx =>
    tx.execute(sql`
      update sms_account
      set total_count = used_count + frozen_count + (
        select sum(qty) filter (where change_type <> 40) from sms_ledger where owner_id = ${s.t.ownerId}
      )
      where owner_id = ${s.t.ownerId}
    `),
  )
  await assertQuota()
})

it('SMS-2: a task is counted before it is sent, and afterwards says what became of it', async () => {
  const scopeJson = { mobiles: ['13500000001', '13500000002', '13500000003'] }
  const draft = { taskName: '停水通知', channel: 'sms', purpose: 'service', scopeType: 'numbers' } as const
  const content = '{name}您好，明日停水。'
  const counted = await s.t.call(countMassSms, { ...draft, scopeJson, content }, s.me)
  expect(counted).toMatchObject({ people: 3, numberCount: 3, segmentPerMsg: 1, totalSegments: 3 })
  expect(counted.samples[0]).toMatchObject({
    content: '住户您好，明日停水。',
    address: expect.stringContaining('*'),
  })
  expect(await faultTextsOf(s.t.call(sendPropertySms, { ...draft, scopeJson }, s.me))).toEqual({
    Content: '请填写内容，或选择模板',
  })
  const past = { ...draft, scopeJson, content, sendTime: addMinutes(s.now(), -5) }
  expect(await faultTextsOf(s.t.call(sendPropertySms, past, s.me))).toMatchObject({
    SendTime: '定时应晚于现在；立即发送请不填',
  })
  const task = await s.t.call(sendPropertySms, { ...draft, scopeJson, content }, s.me)
  expect(task).toMatchObject({ numberCount: 3, totalSegments: 3, state: 'waiting' })
  s.answer = ({ address }) => (address.endsWith('2') ? 'address' : 'ok')
  await dispatch()
  const done = await s.t.call(propertySmses.get, { id: task.id }, s.me)
  expect(done).toMatchObject({ state: 'partial', successCount: 2, failCount: 1 })
  const { rows, total } = await s.t.call(outgoingMessages.list, { taskId: task.id, page: 1, size: 10 }, s.me)
  expect(total).toBe(3)
  expect(rows.find(row => row.state === 'failed')).toMatchObject({ failReason: 'provider: address' })
  s.answer = () => 'ok'
  const again = await s.t.call(resendPropertySms, { id: task.id }, s.me)
  expect(again).toMatchObject({ taskName: '停水通知（重发）', numberCount: 1 })
  expect(await refusalMessageOf(s.t.call(resendPropertySms, { id: task.id }, s.me))).toContain('已重发过')
  expect(await s.t.call(cancelPropertySms, { id: again.id }, s.me)).toMatchObject({ state: 'cancelled' })
  expect(await refusalMessageOf(s.t.call(cancelPropertySms, { id: again.id }, s.me))).toBe(
    '没有待发送的短信，不需要停止',
  )
  const { rows: ledger } = await s.t.call(smsLedgers.list, { page: 1, size: 3 }, s.me)
  expect(ledger[0]).toMatchObject({ changeType: 'returned', source: '短信群发', qty: 1 })
})

const sendTask = (taskName: string, ...mobiles: string[]) =>
  s.t.call(
    sendPropertySms,
    {
      taskName,
      channel: 'sms',
      purpose: 'service',
      scopeType: 'numbers',
      scopeJson: { mobiles },
      content: '明日停水',
    },
    s.me,
  )
const resend = (id: Id) => s.t.call(resendPropertySms, { id }, s.me)

it('what failed is sent again once: later failures too, and what was stopped in a resend', async () => {
  const task = await sendTask('漏发', '13500000031', '13500000032')
  const failed = async (mobile: string) => {
    const own = s.sent.find(({ address }) => address === mobile)
    const outId = `${s.t.ownerId}-${own?.id}`
    await s.post(0, [{ phone_number: mobile, success: false, biz_id: `r${outId}`, out_id: outId }])
  }
  await dispatch()
  await failed('13500000031')
  const first = await resend(task.id)
  expect(first.numberCount).toBe(1)
  expect(await refusalMessageOf(resend(task.id))).toContain('已重发过')
  await failed('13500000032')
  const second = await resend(task.id)
  expect(second.numberCount).toBe(1)
  await s.t.call(cancelPropertySms, { id: first.id }, s.me)
  expect((await resend(task.id)).numberCount).toBe(1)
  await dispatch()
  expect(s.sent.map(({ address }) => address)).toEqual([
    '13500000031',
    '13500000032',
    '13500000032',
    '13500000031',
  ])
  expect(await refusalMessageOf(resend(task.id))).toContain('已重发过')
  await assertQuota()
})

it('a task of which nobody knows the outcome is to be checked, and then sent again', async () => {
  s.answer = () => 'unclear'
  const task = await sendTask('未知', '13500000041')
  await dispatch()
  const get = () => s.t.call(propertySmses.get, { id: task.id }, s.me)
  expect(await get()).toMatchObject({ state: 'unclear', failCount: 0, unclearCount: 1 })
  expect(await refusalMessageOf(resend(task.id))).toBe(
    '有 1 个号码结果未知，请先在发送记录中核对结果，失败的才能重发',
  )
  const { rows } = await s.t.call(outgoingMessages.list, { taskId: task.id, page: 1, size: 1 }, s.me)
  await s.t.call(settleMessage, { id: defined(rows[0]).id, state: 'failed', reason: '无此记录' }, s.me)
  expect(await get()).toMatchObject({ state: 'failed', failCount: 1, unclearCount: 0 })
  expect((await resend(task.id)).numberCount).toBe(1)
})

it('a template is sent once the provider has approved it; another wording has to be approved again', async () => {
  const template = await s.t.call(
    smsTemplates.add,
    { templateName: '停水', purpose: 'service', content: '{name}，明日上午停水' },
    s.me,
  )
  const draft = {
    taskName: '模板',
    channel: 'sms',
    purpose: 'service',
    scopeType: 'numbers',
    scopeJson: { mobiles: ['13500000011'] },
    templateId: template.id,
  } as const
  expect(await faultTextsOf(s.t.call(sendPropertySms, draft, s.me))).toMatchObject({
    TemplateID: '模板「停水」未通过审核，请登记审核结果或更换模板',
  })
  await s.t.call(reviewSmsTemplate, { id: template.id, state: 'approved', providerCode: 'SMS_77' }, s.me)
  await s.t.call(sendPropertySms, draft, s.me)
  await dispatch()
  const own = s.sent.find(({ address }) => address === '13500000011')
  expect(own).toMatchObject({ template: 'SMS_77', params: { name: '住户' } })
  const edited = await s.t.call(
    smsTemplates.edit,
    {
      id: template.id,
      templateName: '停水',
      purpose: 'service',
      content: '{name}明日停水',
      providerCode: 'SMS_77',
    },
    s.me,
  )
  expect(edited.state).toBe('pending')
})

it('PERM-6, PERM-7: of tasks one sees those that one sent, and numbers masked', async () => {
  const task = await s.t.call(
    sendPropertySms,
    {
      taskName: '名单',
      channel: 'sms',
      purpose: 'service',
      scopeType: 'numbers',
      scopeJson: { mobiles: ['13500000021'] },
      content: '明日停水',
    },
    s.me,
  )
  expect(task.scopeJson?.mobiles).toEqual(['135 **** 0021'])
  const own = await s.t.call(propertySmses.get, { id: task.id }, s.me)
  expect(own.scopeJson?.mobiles).toEqual(['135 **** 0021'])
  const { rows } = await s.t.call(propertySmses.list, { page: 1, size: 1 }, s.me)
  expect(rows[0]?.scopeJson?.mobiles).toEqual(['135 **** 0021'])
  const clerk = await s.addClerkOfProject(projectCode, ['messaging.sms.view', 'messaging.record.settle'])
  expect(await refusalMessageOf(s.t.call(propertySmses.get, { id: task.id }, clerk))).toBe(
    '短信任务不存在，或不是你发送的',
  )
  const { rows: records } = await s.t.call(outgoingMessages.list, { taskId: task.id, page: 1, size: 1 }, s.me)
  const settle = { id: defined(records[0]).id, state: 'failed', reason: '核对' } as const
  expect(await refusalMessageOf(s.t.call(settleMessage, settle, clerk))).toContain('发送记录不存在')
})
