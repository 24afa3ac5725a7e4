import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused, code } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { As } from '#kit/server/ground/world.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { golden } from '../../../db/golden/fill.ts'
import { docType, printSettings, putPrint } from '../contract/print.ts'
import { printDefaults, settingOf } from '../domain/print.ts'
import { printSettingOf } from './public.ts'

let t: GoldenWorld, me: As, other: As, owner = 0
beforeAll(async () => {
  t = await openGolden()
  me = await t.as(golden.first.owner, ''); other = await t.as(golden.second.owner, '')
  owner = (await t.store.reader('*').one<{ ownerId: number }>(sql`select owner_id from manager where login_code = ${golden.first.owner}`))!.ownerId
})
afterAll(() => t?.close())
const refusal = async (p: Promise<unknown>): Promise<Refused & { data: any }> => { const e = await p.then(() => undefined, x => x); expect(e).toBeInstanceOf(Refused); return e as never }
const receipt = async (who = me) => (await t.ask(printSettings, undefined, who)).find(s => s.docType === 'receipt')!

it('every kind prints by its defaults until somebody saves, then as saved, in his company alone', async () => {
  expect((await t.ask(printSettings, undefined, me)).map(s => s.docType)).toEqual(Object.keys(docType.rows))
  expect(await receipt()).toMatchObject({ title: '收款收据', paperSize: 'third', copies: 3, copyNames: ['存根', '缴费人', '记账'], version: 0 })
  expect((await receipt()).id).toBeUndefined()
  const saved = await t.ask(putPrint, { ...settingOf('receipt'), title: '物业费收据', paperSize: 'half', parts: ['no', 'date', 'capitals'], footer: '款项已收讫' } as never, me)
  expect(saved).toMatchObject({ docType: 'receipt', version: 1 })
  expect(await receipt()).toMatchObject({ title: '物业费收据', paperSize: 'half', parts: ['no', 'date', 'capitals'], footer: '款项已收讫' })
  expect(await receipt(other)).toMatchObject({ title: '收款收据', version: 0 })
  const db = t.store.reader(owner)
  expect(await printSettingOf(db, owner, 'receipt')).toMatchObject({ docType: 'receipt', title: '物业费收据', paperSize: 'half', parts: ['no', 'date', 'capitals'] })
  expect(await printSettingOf(db, owner, 'demand')).toEqual({ docType: 'demand', ...printDefaults.demand })
})
it('says what cannot be printed at its field, and keeps nothing of it (PRINT-3)', async () => {
  const no = await refusal(t.ask(putPrint, { ...settingOf('visitor'), marginLeft: 25, marginRight: 20, copies: 1, copyNames: ['存根', '记账'] } as never, me))
  expect([no.code, no.data]).toEqual([code.input, [{ Field: 'MarginLeft', Message: '左右边距太大，纸宽 80 mm，至少要留 40 mm' }, { Field: 'CopyNames', Message: '各联名称多于联数，最多 1 个' }]])
  expect((await t.ask(printSettings, undefined, me)).find(s => s.docType === 'visitor')).toMatchObject({ version: 0, marginLeft: 4 })
})
it('two save what nobody had saved: one row, the other is told; and who saw an older one does not write over it', async () => {
  const said = await Promise.allSettled(['甲', '乙'].map(title => t.ask(putPrint, { ...settingOf('bill'), title } as never, me)))
  expect(said.map(s => s.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect((await refusal(t.ask(putPrint, { ...settingOf('bill'), title: '丙', version: 0 } as never, me))).code).toBe(code.stale)
  const again = await t.ask(putPrint, { ...settingOf('bill'), title: '丁', version: 1 } as never, me)
  expect(again).toMatchObject({ title: '丁', version: 2 })
})
it('everybody signed in may read them, to save them is a right', async () => {
  const cashier = await t.as(golden.first.ofRole('cashier'))
  expect((await t.ask(printSettings, undefined, cashier)).length).toBe(10)
  expect((await refusal(t.ask(putPrint, settingOf('deposit') as never, cashier))).code).toBe(code.forbidden)
})
