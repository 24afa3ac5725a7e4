import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { simulatedOpenId } from '#modules/accounts/server/wechat-simulator.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { mergeResidents, getResidentStatistics } from '../contract/maintenance.ts'
import { getResident } from '../contract/resident.ts'
import {
  cancelResidentWechat,
  confirmResidentWechat,
  createResidentQr,
  getResidentQrState,
  scanResidentQr,
  unbindResidentWechat,
} from '../contract/wechat.ts'

let t: GoldenApp
let me: CallOptions
let residents: { id: Id; name: string; ownerId: Id }[] = []

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  residents = await t.database.reader('*').rows(
    sql`
        select id, name, owner_id
        from resident
        where delete_tag = 0
          and owner_id = (select min(owner_id) from resident)
          and char_length(name) >= 2
          and not wechat_bind
          and exists (
            select 1
            from user_room l
            where l.owner_id = resident.owner_id
              and l.user_id = resident.id
              and l.delete_tag = 0
              and l.status = 20
              and l.in_date is not null
          )
        order by id
        limit 6
      `,
  )
})

afterAll(() => t?.close())

/** What a phone does: reads the picture, is led to WeChat, says yes or no, and comes back. */
async function confirmOnPhone(uuid: string, say: 'yes' | 'no', personName: string): Promise<string | null> {
  const seen = await t.call(scanResidentQr, { uuid, origin: 'http://127.0.0.1:9' })
  const at = new URL(seen.address)
  const back = new URL(
    defined(
      (
        await fetch(
          `${at.origin}/answer?${new URLSearchParams({ redirect_uri: defined(at.searchParams.get('redirect_uri')), state: defined(at.searchParams.get('state')), account: personName, say }).toString()}`,
          { redirect: 'manual' },
        )
      ).headers.get('location'),
    ),
  )
  expect([back.pathname, back.searchParams.get('state')]).toEqual(['/residentwx', uuid])
  return back.searchParams.get('code')
}

const bindingStateOf = async (uuid: string, as = me): Promise<string> =>
  (await t.call(getResidentQrState, { uuid }, as)).state

const bindResident = async (id: Id, personName: string): Promise<void> => {
  const { uuid } = await t.call(createResidentQr, { id }, me)
  await t.call(confirmResidentWechat, { uuid, code: defined(await confirmOnPhone(uuid, 'yes', personName)) })
}

const openIdOf = async (id: Id) =>
  defined(
    await t.database
      .reader('*')
      .one<{ o?: string }>(sql`select run_wechat as o from resident where id = ${id}`),
  ).o

it('URG-2 a picture goes from waiting to read to bound; the resident then has WeChat, and is counted in statistics', async () => {
  const p = defined(residents[0])
  const before = (await t.call(getResidentStatistics, {}, me)).wechat
  const { uuid, url, seconds, simulated } = await t.call(createResidentQr, { id: p.id }, me)
  expect([url, seconds, simulated, await bindingStateOf(uuid)]).toEqual([
    `/residentwx?uuid=${uuid}`,
    600,
    true,
    'waiting',
  ])
  const seen = await t.call(scanResidentQr, { uuid, origin: 'https://anju.example' })
  // Who holds the picture learns no whole name.
  expect([seen.name, await bindingStateOf(uuid)]).toEqual([
    p.name[0] + '*'.repeat([...p.name].length - 1),
    'scanned',
  ])
  const code = defined(await confirmOnPhone(uuid, 'yes', 'home-1'))
  await t.call(confirmResidentWechat, { uuid, code })
  expect([
    await bindingStateOf(uuid),
    await openIdOf(p.id),
    (await t.call(getResident, { id: p.id }, me)).wechatBind,
    (await t.call(getResidentStatistics, {}, me)).wechat,
  ]).toEqual(['bound', simulatedOpenId('home-1'), true, before + 1])
  expect(await refusalMessageOf(t.call(confirmResidentWechat, { uuid, code }))).toContain('二维码已失效')
  expect(await refusalMessageOf(t.call(createResidentQr, { id: p.id }, me))).toBe(
    `「${p.name}」已绑定微信，请先解除绑定`,
  )
})

it('one WeChat stands for one resident of a company; two phones with one picture: one is bound', async () => {
  const { uuid } = await t.call(createResidentQr, { id: defined(residents[1]).id }, me)
  const code = defined(await confirmOnPhone(uuid, 'yes', 'home-1'))
  expect(await refusalMessageOf(t.call(confirmResidentWechat, { uuid, code }))).toBe(
    '该微信已绑定了另一位住户，请先联系物业解除',
  )
  expect(await openIdOf(defined(residents[1]).id)).toBeUndefined()
  const again = await t.call(createResidentQr, { id: defined(residents[1]).id }, me)
  const codes = [
    await confirmOnPhone(again.uuid, 'yes', 'home-2'),
    await confirmOnPhone(again.uuid, 'yes', 'home-3'),
  ]
  const both = await Promise.allSettled(
    codes.map(c => t.call(confirmResidentWechat, { uuid: again.uuid, code: defined(c) })),
  )
  expect([
    both.filter(x => x.status === 'fulfilled').length,
    [simulatedOpenId('home-2'), simulatedOpenId('home-3')].includes(
      defined(await openIdOf(defined(residents[1]).id)),
    ),
  ]).toEqual([1, true])
})

it('cancels; refuses an expired or invented QR code and a forged authorization code', async () => {
  const { uuid } = await t.call(createResidentQr, { id: defined(residents[2]).id }, me)
  expect(await refusalMessageOf(t.call(confirmResidentWechat, { uuid, code: 'x' }))).toContain('二维码已失效')
  expect(await confirmOnPhone(uuid, 'no', 'home-4')).toBeNull()
  expect(await refusalMessageOf(t.call(confirmResidentWechat, { uuid, code: 'made-up' }))).toBe(
    '微信未确认身份，请重新扫码',
  )
  await t.call(cancelResidentWechat, { uuid })
  expect([await bindingStateOf(uuid), await openIdOf(defined(residents[2]).id)]).toEqual([
    'refused',
    undefined,
  ])
  expect(
    await refusalMessageOf(t.call(scanResidentQr, { uuid: 'A'.repeat(22), origin: 'https://anju.example' })),
  ).toBe('二维码已失效，请联系物业重新获取')
  const old = await t.call(createResidentQr, { id: defined(residents[2]).id }, me)
  await t.database.tx('*', tx =>
    tx.execute(
      sql`
        update resident_wechat_ticket
        set expire_time = ${new Date(t.app.clock() - 1000)}
        where uuid = ${old.uuid}
      `,
    ),
  )
  expect([
    await bindingStateOf(old.uuid),
    await refusalMessageOf(t.call(scanResidentQr, { uuid: old.uuid, origin: 'https://anju.example' })),
  ]).toEqual(['expired', '二维码已失效，请联系物业重新获取'])
})

it('binds again after unbinding; a merged resident keeps the WeChat (BASE-13)', async () => {
  await t.call(unbindResidentWechat, { id: defined(residents[0]).id, reason: '住户要求' }, me)
  expect([
    await openIdOf(defined(residents[0]).id),
    await refusalMessageOf(
      t.call(unbindResidentWechat, { id: defined(residents[0]).id, reason: '住户要求' }, me),
    ),
  ]).toEqual([undefined, `「${defined(residents[0]).name}」未绑定微信`])
  await bindResident(defined(residents[0]).id, 'home-1')
  await t.database.tx('*', tx =>
    tx.execute(
      sql`
        update resident
        set cert_no = null
        where id = any(${[defined(residents[0]).id, defined(residents[3]).id]})
      `,
    ),
  )
  await t.call(
    mergeResidents,
    { id: defined(residents[3]).id, others: [String(defined(residents[0]).id)], reason: '同一人' },
    me,
  )
  expect([
    await openIdOf(defined(residents[3]).id),
    (await t.call(getResident, { id: defined(residents[3]).id }, me)).wechatBind,
  ]).toEqual([simulatedOpenId('home-1'), true])
})
