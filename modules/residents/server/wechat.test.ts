import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { As } from '#kit/server/ground/world.ts'
import { simulatedOpenId } from '#kit/server/wechat-simulator.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { mergeResidents, statistics } from '../contract/care.ts'
import { oneResident } from '../contract/resident.ts'
import {
  residentCancel,
  residentConfirm,
  residentQr,
  residentQrState,
  residentScanned,
  residentUnbind,
} from '../contract/wechat.ts'

let t: GoldenWorld
let me: As
let people: { id: number; name: string; ownerId: number }[] = []

beforeAll(async () => {
  t = await openGolden()
  me = await t.owner
  people = await t.store.reader('*').rows(
    sql`
        select id, name, owner_id
        from resident
        where delete_tag = 0
          and owner_id = (select min(owner_id) from resident)
          and char_length(name) >= 2
          and not wechat_bind
        order by id
        limit 6
      `,
  )
})

afterAll(() => t?.close())

const fault = async (p: Promise<unknown>): Promise<string> => {
  const e = await p.then(
    () => undefined,
    x => x,
  )
  expect(e).toBeInstanceOf(Refused)
  return (e as Refused).message
}

/** What a phone does: reads the picture, is led to WeChat, says yes or no, and comes back. */
async function phone(uuid: string, say: 'yes' | 'no', who: string): Promise<string | null> {
  const seen = await t.ask(residentScanned, { uuid, origin: 'http://127.0.0.1:9' })
  const at = new URL(seen.address)
  const back = new URL(
    (
      await fetch(
        `${at.origin}/answer?${new URLSearchParams({ redirect_uri: at.searchParams.get('redirect_uri')!, state: at.searchParams.get('state')!, who, say }).toString()}`,
        { redirect: 'manual' },
      )
    ).headers.get('location')!,
  )
  expect([back.pathname, back.searchParams.get('state')]).toEqual(['/residentwx', uuid])
  return back.searchParams.get('code')
}

const state = async (uuid: string, as = me): Promise<string> =>
  (await t.ask(residentQrState, { uuid }, as)).state

const bind = async (id: number, who: string): Promise<void> => {
  const { uuid } = await t.ask(residentQr, { id }, me)
  await t.ask(residentConfirm, { uuid, code: (await phone(uuid, 'yes', who))! })
}

const openIdOf = async (id: number) =>
  (await t.store.reader('*').one<{ o?: string }>(sql`select run_wechat as o from resident where id = ${id}`))!
    .o

it('URG-2 a picture goes from waiting to read to bound; the resident then has his WeChat, and statistics count him', async () => {
  const p = people[0]!
  const before = (await t.ask(statistics, {}, me)).wechat
  const { uuid, url, seconds, simulated } = await t.ask(residentQr, { id: p.id }, me)
  expect([url, seconds, simulated, await state(uuid)]).toEqual([
    `/residentwx?uuid=${uuid}`,
    600,
    true,
    'waiting',
  ])
  const seen = await t.ask(residentScanned, { uuid, origin: 'https://anju.example' })
  // Who holds the picture learns no whole name.
  expect([seen.name, await state(uuid)]).toEqual([p.name[0] + '*'.repeat([...p.name].length - 1), 'scanned'])
  const code = (await phone(uuid, 'yes', 'home-1'))!
  await t.ask(residentConfirm, { uuid, code })
  expect([
    await state(uuid),
    await openIdOf(p.id),
    (await t.ask(oneResident, { id: p.id }, me)).wechatBind,
    (await t.ask(statistics, {}, me)).wechat,
  ]).toEqual(['bound', simulatedOpenId('home-1'), true, before + 1])
  expect(await fault(t.ask(residentConfirm, { uuid, code }))).toContain('二维码已失效')
  expect(await fault(t.ask(residentQr, { id: p.id }, me))).toBe(`「${p.name}」已绑定微信，请先解除绑定`)
})

it('one WeChat stands for one resident of a company; two phones with one picture: one is bound', async () => {
  const { uuid } = await t.ask(residentQr, { id: people[1]!.id }, me)
  const code = (await phone(uuid, 'yes', 'home-1'))!
  expect(await fault(t.ask(residentConfirm, { uuid, code }))).toBe(
    '这个微信已绑定了另一位住户，请先联系物业解除',
  )
  expect(await openIdOf(people[1]!.id)).toBeUndefined()
  const again = await t.ask(residentQr, { id: people[1]!.id }, me)
  const codes = [await phone(again.uuid, 'yes', 'home-2'), await phone(again.uuid, 'yes', 'home-3')]
  const both = await Promise.allSettled(
    codes.map(c => t.ask(residentConfirm, { uuid: again.uuid, code: c! })),
  )
  expect([
    both.filter(x => x.status === 'fulfilled').length,
    [simulatedOpenId('home-2'), simulatedOpenId('home-3')].includes((await openIdOf(people[1]!.id))!),
  ]).toEqual([1, true])
})

it('no is no; an old or made-up picture says nothing; a forged code binds nobody', async () => {
  const { uuid } = await t.ask(residentQr, { id: people[2]!.id }, me)
  expect(await fault(t.ask(residentConfirm, { uuid, code: 'x' }))).toContain('二维码已失效')
  expect(await phone(uuid, 'no', 'home-4')).toBeNull()
  expect(await fault(t.ask(residentConfirm, { uuid, code: 'made-up' }))).toBe('微信没有确认身份，请重新扫码')
  await t.ask(residentCancel, { uuid })
  expect([await state(uuid), await openIdOf(people[2]!.id)]).toEqual(['refused', undefined])
  expect(await fault(t.ask(residentScanned, { uuid: 'A'.repeat(22), origin: 'https://anju.example' }))).toBe(
    '二维码已失效，请联系物业重新获取',
  )
  const old = await t.ask(residentQr, { id: people[2]!.id }, me)
  await t.store.tx('*', tx =>
    tx.run(
      sql`
        update resident_wechat_ticket
        set expire_time = ${new Date(t.world.clock() - 1000)}
        where uuid = ${old.uuid}
      `,
    ),
  )
  expect([
    await state(old.uuid),
    await fault(t.ask(residentScanned, { uuid: old.uuid, origin: 'https://anju.example' })),
  ]).toEqual(['expired', '二维码已失效，请联系物业重新获取'])
})

it('bound anew after it was taken off; BASE-13 merged people keep the WeChat', async () => {
  await t.ask(residentUnbind, { id: people[0]!.id, reason: '住户要求' }, me)
  expect([
    await openIdOf(people[0]!.id),
    await fault(t.ask(residentUnbind, { id: people[0]!.id, reason: '住户要求' }, me)),
  ]).toEqual([undefined, `「${people[0]!.name}」没有绑定微信`])
  await bind(people[0]!.id, 'home-1')
  await t.store.tx('*', tx =>
    tx.run(sql`update resident set cert_no = null where id = any(${[people[0]!.id, people[3]!.id]})`),
  )
  await t.ask(
    mergeResidents,
    { id: people[3]!.id, others: [String(people[0]!.id)], reason: '同一人' } as never,
    me,
  )
  expect([
    await openIdOf(people[3]!.id),
    (await t.ask(oneResident, { id: people[3]!.id }, me)).wechatBind,
  ]).toEqual([simulatedOpenId('home-1'), true])
})
