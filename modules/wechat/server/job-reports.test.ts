import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { faultTextsOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { sql } from '#kit/server/db.ts'
import { sendNow } from '#modules/messaging/server/public.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { countMassReceivers, getSpecificNumber, sendMass, wechatMasses } from '../contract/mass.ts'
import { wechatTemplates } from '../contract/template.ts'
import { deleteOldMessages } from './callback.ts'
import { saveMassBatch, saveMassReport } from './mass-report.ts'
import { followerOf } from './simulator/simulator.ts'
import { AccountFixture, openCallbackServer, type CallbackServer } from './wechat.fixtures.ts'
import { clockScope } from '#kit/server/scope.ts'

let t: GoldenApp
let me: CallOptions
let callbacks: CallbackServer

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  callbacks = await openCallbackServer(t.app)
})

afterAll(async () => {
  callbacks?.close()
  await t?.close()
})

async function openFollowed(...people: readonly string[]): Promise<AccountFixture> {
  const wx = await AccountFixture.open(t, me)
  for (const person of people) {
    await wx.perform(person, 'follow')
  }
  return wx
}

const massOf = async (id: Id) => {
  const { state, sentCount, failCount, reportedCount, fault } = await t.call(wechatMasses.get, { id }, me)
  return { state, sentCount, failCount, reportedCount, fault }
}

async function sendToAll({ id: accountId }: AccountFixture): Promise<Id> {
  const input = { accountId, title: '元旦', messageType: 'text', content: '新年好' } as const
  const { id } = await t.call(sendMass, input, me)
  await expect.poll(async () => (await massOf(id)).state, { timeout: 10_000 }).toBe('sent')
  return id
}

it('a mass message counts those who got it when the platform reports, once', async () => {
  const wx = await openFollowed('甲', '乙', '丙')
  followerOf(wx.platform, '丙').isFollowing = false
  const id = await sendToAll(wx)
  expect(await massOf(id)).toMatchObject({ sentCount: 3, reportedCount: 0 })
  const [job] = wx.platform.jobs
  await wx.reportJobs()
  const reported = {
    state: 'partly',
    sentCount: 2,
    failCount: 1,
    reportedCount: 3,
    fault: '1 位关注者未收到（拒收或已取消关注）',
  }
  expect(await massOf(id)).toEqual(reported)
  wx.platform.jobs.push({ ...defined(job), fields: { ...defined(job).fields, CreateTime: 1 } })
  await wx.reportJobs()
  expect(await massOf(id)).toEqual(reported)
  expect(await t.call(getSpecificNumber, { id }, me)).toEqual({
    numberCount: 3,
    sentCount: 2,
    failCount: 1,
    reportedCount: 3,
    waitingCount: 0,
  })
})

it('one that the platform did not send says why, and uses up nobody’s quota', async () => {
  const wx = await openFollowed('甲', '乙')
  wx.platform.jobStatus = 'err(10001)'
  const id = await sendToAll(wx)
  await wx.reportJobs()
  expect(await massOf(id)).toEqual({
    state: 'failed',
    sentCount: 0,
    failCount: 2,
    reportedCount: 2,
    fault: '微信未发送：涉嫌广告',
  })
  expect(await t.call(countMassReceivers, { accountId: wx.id }, me)).toMatchObject({ receivers: 2 })
})

it('a report that is faster than the answer waits for it; the platform’s helper is no follower', async () => {
  const wx = await openFollowed('甲', '乙')
  const id = await sendToAll(wx)
  await wx.reportJobs()
  const followers = await t.database.reader(t.ownerId).one<{ count: number }>(sql`
    select count(*)::integer as count from wechat_follower where owner_id = ${t.ownerId} and account_id = ${wx.id}
  `)
  expect(followers?.count).toBe(2)
  const scope = clockScope(t.app, t.ownerId)
  const inTx = (work: (tx: Parameters<typeof saveMassReport>[0]) => Promise<unknown>) =>
    t.database.tx(t.ownerId, work)
  const early = { messageId: '77', status: 'send success', arrivedCount: 1 }
  await inTx(tx => saveMassReport(tx, scope, wx.id, early))
  await inTx(tx => saveMassReport(tx, scope, wx.id, { ...early, messageId: '78' }))
  const batch = { massId: id, batchNo: 2, receiverCount: 2, messageId: '77' }
  await inTx(tx => saveMassBatch(tx, scope, wx.id, batch))
  expect(await massOf(id)).toMatchObject({ sentCount: 1, failCount: 1, reportedCount: 4, state: 'partly' })
  await inTx(tx => deleteOldMessages(tx, t.ownerId, t.app.clock() + 48 * 3_600_000))
  const kept = await t.database.reader(t.ownerId).rows(sql`
    select message_id from wechat_job_report where owner_id = ${t.ownerId}
  `)
  expect(kept).toEqual([])
})

const template = {
  event: 'notice',
  templateId: 'tmpl-notice',
  templateTitle: '物业公告提醒',
  fieldValues: [
    { name: 'thing1', value: '{title}' },
    { name: 'time2', value: '{time}' },
  ],
  state: 'on',
} as const

it('template messages are delivered, refused or failed as the platform reports (WX-1)', async () => {
  const wx = await openFollowed('小李')
  await t.call(wechatTemplates.save, { accountId: wx.id, ...template }, me)
  const notify = async (status: string) => {
    wx.platform.jobStatus = status
    const sent = await sendNow(t.app, t.ownerId, {
      source: 'notices.notice',
      bizId: wx.id,
      channel: 'wechat',
      receiver: { kind: 'number', id: 0 },
      address: wx.openIdOf('小李'),
      title: '停水',
      text: '明天停水',
    })
    expect(sent).toMatchObject({ state: 'sent' })
  }
  // Within one second, from one sender: each has its own number.
  await notify('success')
  await notify('failed:user block')
  await notify('failed: system failed')
  await wx.reportJobs()
  const rows = await t.database.reader(t.ownerId).rows(sql`
    select state, fail_reason
    from outgoing_message
    where owner_id = ${t.ownerId} and address = ${wx.openIdOf('小李')}
    order by id
  `)
  expect(rows).toEqual([
    { state: 40 },
    { state: 70, failReason: '用户拒收消息' },
    { state: 50, failReason: '微信系统故障，未送达' },
  ])
})

it('a template is saved only with the number and the fields that it has at the platform', async () => {
  const wx = await AccountFixture.open(t, me)
  const save = (values: object) =>
    t.call(wechatTemplates.save, { accountId: wx.id, ...template, ...values }, me)
  expect(await faultTextsOf(save({ templateId: 'tmpl-none' }))).toEqual({
    TemplateID: '公众号没有该模板，请核对编号，或先在微信公众平台添加',
  })
  const [first] = template.fieldValues
  expect(await faultTextsOf(save({ fieldValues: [first] }))).toEqual({
    DataJson: '缺少微信模板的字段 time2，请添加',
  })
  expect(await faultTextsOf(save({ fieldValues: [first, { name: 'date3', value: 'x' }] }))).toEqual({
    DataJson: '字段「date3」不在微信的模板中，可用 thing1、time2',
  })
  wx.platform.isAway = true
  expect(await refusalTextOf(save({}))).toContain('连接不上微信服务器')
  expect(await save({ templateId: 'tmpl-none', state: 'off' })).toMatchObject({ state: 'off' })
})
