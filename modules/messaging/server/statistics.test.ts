import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { golden } from '#db/golden/golden-data.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { faultTextsOf } from '#kit/server/fixtures/refusal.ts'
import { sql } from '#kit/server/db.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { keysOf } from '#kit/contract/field.ts'
import { asId } from '#kit/domain/id.ts'
import { messageState } from '../contract/choices.ts'
import { outgoingMessages } from '../contract/message.ts'
import { exportMessageStatistics, getMessageStatistics, messageGrouping } from '../contract/statistics.ts'
import { dispatchMessages } from './dispatcher.ts'
import { warnOfLowQuota } from './low-quota.ts'
import { MessagingSite } from './messaging.fixtures.ts'
import { cancelMessages } from './queue.ts'

let s: MessagingSite
let me: CallOptions

beforeAll(async () => {
  s = await MessagingSite.open()
  // All projects: own numbers are of none.
  me = await s.t.signedInAs(golden.first.owner, '')
})

beforeEach(() => {
  s.answer = () => 'ok'
})

afterAll(() => s?.close())

const span = { from: '2026-11-21', to: '2026-11-21' } as const

it('statistics count what became of messages, by day, channel and source; cancelled ones are none', async () => {
  const before = await s.t.call(getMessageStatistics, { ...span, grouping: 'source' }, me)
  expect(before.find(({ key }) => key === 'messaging.test')).toBeUndefined()
  const { bizId } = await s.queue(s.numbers('13922220001', '13922220002', '13922220003'))
  s.answer = ({ address }) => (address === '13922220002' ? 'address' : 'ok')
  await dispatchMessages(s.t.app)
  const [first] = await s.messages(bizId)
  await s.post(0, [{ mobile: first?.address, report_status: 'SUCCESS', sid: `r${s.t.ownerId}-${first?.id}` }])
  const stopped = await s.queue(s.numbers('13922220004'))
  await s.t.database.tx(s.t.ownerId, tx =>
    cancelMessages({ tx, scope: s.scope(), now: s.now() }, 'messaging.test', stopped.bizId),
  )
  const bySource = await s.t.call(getMessageStatistics, { ...span, grouping: 'source' }, me)
  expect(bySource.find(({ key }) => key === 'messaging.test')).toEqual({
    key: 'messaging.test',
    label: '测试',
    total: 3,
    waiting: 0,
    sent: 2,
    delivered: 1,
    failed: 1,
    refused: 0,
    unclear: 0,
    rate: '50.00%',
    segments: 2,
  })
  const byDay = await s.t.call(getMessageStatistics, { ...span, grouping: 'day' }, me)
  expect(byDay.map(({ key }) => key)).toEqual(['2026-11-21', 'total'])
  const byProject = await s.t.call(getMessageStatistics, { ...span, grouping: 'project' }, me)
  expect(byProject.find(({ key }) => key === '-')).toMatchObject({ label: '未归属' })
  const byChannel = await s.t.call(getMessageStatistics, { ...span, grouping: 'channel' }, me)
  expect(byChannel.map(({ label }) => label)).toContain('短信')
  const clerk = await s.addClerkOfProject('GOLD0001', ['messaging.record.view'])
  const seen = await s.t.call(getMessageStatistics, { ...span, grouping: 'source' }, clerk)
  expect(seen.find(({ key }) => key === 'messaging.test')).toBeUndefined()
})

it('statistics and records are of the same project; what is of none is in all of them alone', async () => {
  await s.queue([
    { kind: 'number', id: asId(0), mobile: '13922220011', projectCode: 'GOLD0001' },
    { kind: 'number', id: asId(0), mobile: '13922220012' },
  ])
  const states = keysOf(messageState).filter(key => key !== 'cancelled')
  const counted = async (as: CallOptions, projectCode?: string) => {
    const lines = await s.t.call(
      getMessageStatistics,
      { from: '2025-01-01', to: '2026-12-31', grouping: 'source', ...(projectCode ? { projectCode } : {}) },
      as,
    )
    const { total } = await s.t.call(
      outgoingMessages.list,
      { page: 1, size: 1, state: states, ...(projectCode ? { projectCode } : {}) },
      as,
    )
    return [lines.at(-1)?.total, total]
  }
  const [all = 0, listed] = await counted(me)
  expect(listed).toBe(all)
  const [own = 0, ownListed] = await counted(s.me, 'GOLD0001')
  expect(ownListed).toBe(own)
  expect(own).toBeLessThan(all)
  expect(own).toBeGreaterThan(0)
})

it('the last line is the total of the lines (STAT-3)', async () => {
  for (const grouping of keysOf(messageGrouping)) {
    const lines = await s.t.call(getMessageStatistics, { ...span, grouping }, me)
    const total = lines.at(-1)
    expect(total).toMatchObject({ key: 'total', label: '合计' })
    for (const key of ['total', 'waiting', 'sent', 'delivered', 'failed', 'segments'] as const) {
      const sum = lines.slice(0, -1).reduce((found, line) => found + line[key], 0)
      expect(total?.[key], `${grouping} ${key}`).toBe(sum)
    }
  }
  const empty = { from: '2020-01-01', to: '2020-01-02', grouping: 'day' } as const
  expect(await s.t.call(getMessageStatistics, empty, me)).toEqual([])
})

it('the export has what the screen shows; a span that is none is refused', async () => {
  const query = { ...span, grouping: 'channel' } as const
  const sheet = await readWorkbook(await readBody(await s.t.call(exportMessageStatistics, query, me)))
  expect(sheet.heading.slice(0, 3)).toEqual(['统计项', '条数', '待发送'])
  expect(sheet.lines.map(({ cells }) => cells[0])).toEqual(['短信', '合计'])
  expect(sheet.lines[1]?.cells.slice(1)).toEqual(sheet.lines[0]?.cells.slice(1))
  const turned = s.t.call(getMessageStatistics, { ...query, to: '2026-11-20' }, me)
  expect(await faultTextsOf(turned)).toEqual({ EndDate: '结束日期应不早于开始日期' })
  const long = s.t.call(getMessageStatistics, { ...query, from: '2020-01-01' }, me)
  expect(await faultTextsOf(long)).toEqual({ EndDate: '最多统计 731 天' })
})

const setBalance = (total: number) =>
  s.t.database.tx(s.t.ownerId, tx =>
    tx.execute(sql`
      update sms_account
      set total_count = used_count + frozen_count + ${total}::integer
      where owner_id = ${s.t.ownerId} and delete_tag = 0
    `),
  )

it('who may buy short messages hears of a low balance, once for each time that it falls', async () => {
  const { loginCode } = await s.t.addClerk(['products.increment.add', 'products.increment.view'])
  const titles = () =>
    s.db().rows<{ title: string; link?: string }>(sql`
      select title, link
      from notification
      where owner_id = ${s.t.ownerId}
        and kind = 'messaging.lowQuota'
        and receiver_id = (select id from manager where login_code = ${loginCode})
      order by id
    `)
  await setBalance(101)
  await warnOfLowQuota(s.t.app)
  expect(await titles()).toEqual([])
  await setBalance(100)
  await warnOfLowQuota(s.t.app)
  await setBalance(40)
  await warnOfLowQuota(s.t.app)
  const message = { title: '短信余量 100 条，已不多于预警值 100 条', link: '/notice/shortlist/buysms' }
  expect(await titles()).toEqual([message])
  await setBalance(500)
  await warnOfLowQuota(s.t.app)
  await setBalance(99)
  await warnOfLowQuota(s.t.app)
  expect(await titles()).toHaveLength(2)
})
