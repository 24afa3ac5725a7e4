import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { addDays } from '#kit/domain/day.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { previewRetention, saveRetention } from '#modules/personal-data/contract/retention.ts'
import { runRetention } from '#modules/personal-data/server/public.ts'
import { sendMass, wechatMasses } from '../contract/mass.ts'
import { AccountFixture, openCallbackServer, type CallbackServer } from './wechat.fixtures.ts'

const day = 86_400_000
let t: GoldenApp
let callbacks: CallbackServer

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  callbacks = await openCallbackServer(t.app)
})

afterEach(() => vi.unstubAllEnvs())

afterAll(async () => {
  callbacks?.close()
  await t?.close()
})

const followersOf = (wx: AccountFixture) =>
  t.database.reader(t.ownerId).rows<{ openId: string }>(sql`
    select open_id from wechat_follower where owner_id = ${t.ownerId} and account_id = ${wx.id} order by id
  `)

const receiversOf = async (massId: number): Promise<number | undefined> => {
  const row = await t.database.reader(t.ownerId).one<{ count: number }>(sql`
    select count(*)::integer as count
    from wechat_mass_receiver
    where owner_id = ${t.ownerId} and mass_id = ${massId}
  `)
  return row?.count
}

it('erasing a follower takes what was counted of the messages (the database sees to it)', async () => {
  const me = await t.owner
  const wx = await AccountFixture.open(t, me)
  for (const person of ['丁', '戊']) {
    await wx.perform(person, 'follow')
  }
  const input = { accountId: wx.id, title: '元旦', messageType: 'text', content: '新年好' } as const
  const { id } = await t.call(sendMass, input, me)
  await expect.poll(() => receiversOf(id)).toBe(2)
  await expect
    .poll(async () => (await t.call(wechatMasses.get, { id }, me)).state, { timeout: 10_000 })
    .toBe('sent')
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      delete from wechat_follower where owner_id = ${t.ownerId} and open_id = ${wx.openIdOf('丁')}
    `),
  )
  expect(await receiversOf(id)).toBe(1)
})

it('who left long ago and whom mass messages went to are forgotten, the figures stay', async () => {
  const me = await t.owner
  const wx = await AccountFixture.open(t, me)
  for (const person of ['甲', '乙', '丙']) {
    await wx.perform(person, 'follow')
  }
  const input = { accountId: wx.id, title: '元旦', messageType: 'text', content: '新年好' } as const
  const { id } = await t.call(sendMass, input, me)
  await expect
    .poll(async () => (await t.call(wechatMasses.get, { id }, me)).state, { timeout: 10_000 })
    .toBe('sent')
  // A server has the clock of its machine, which need not be ours.
  vi.stubEnv('TZ', 'UTC')
  const dueWhenSentOn = async (sentDay: string): Promise<number | undefined> => {
    await t.database.tx(t.ownerId, tx =>
      tx.execute(sql`
        update wechat_mass_receiver
        set queue_day = ${sentDay}::date
        where owner_id = ${t.ownerId} and mass_id = ${id}
      `),
    )
    const found = await t.call(previewRetention, {}, me)
    return found.find(({ key }) => key === 'massReceivers')?.count
  }
  const sent = dayOfInstant(t.app.clock())
  expect(await dueWhenSentOn(addDays(sent, -180))).toBe(0)
  expect(await dueWhenSentOn(addDays(sent, -181))).toBe(3)
  await dueWhenSentOn(sent)
  vi.unstubAllEnvs()
  await t.call(saveRetention, { isOn: true, periods: [], version: 0 }, me)
  await wx.perform('丙', 'leave')
  t.advanceClock(100 * day)
  await runRetention(t.app, t.ownerId)
  expect(await followersOf(wx)).toHaveLength(3)
  expect(await receiversOf(id)).toBe(3)
  await wx.perform('乙', 'leave')
  t.advanceClock(100 * day)
  await runRetention(t.app, t.ownerId)
  expect((await followersOf(wx)).map(({ openId }) => openId)).toEqual([wx.openIdOf('甲'), wx.openIdOf('乙')])
  expect(await receiversOf(id)).toBe(0)
  const mass = await t.database.reader(t.ownerId).one(sql`
    select sent_count, state from wechat_mass where owner_id = ${t.ownerId} and id = ${id}
  `)
  expect(mass).toEqual({ sentCount: 3, state: 30 })
})
