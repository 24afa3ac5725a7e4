import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused, code } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { As } from '#kit/server/ground/world.ts'
import { systemScope } from '#kit/server/scope.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { golden } from '../../../db/golden/fill.ts'
import { docType, dropPrint, printEditions, printSettings, putPrint } from '../contract/print.ts'
import { printDefaults, settingOf } from '../domain/print.ts'
import { paperOf } from './public.ts'

let t: GoldenWorld
let me: As
let other: As
let owner = 0

beforeAll(async () => {
  t = await openGolden()
  me = await t.as(golden.first.owner, '')
  other = await t.as(golden.second.owner, '')
  owner = (await t.store
    .reader('*')
    .one<{ ownerId: number }>(sql`select owner_id from manager where login_code = ${golden.first.owner}`))!
    .ownerId
})

afterAll(() => t?.close())

const refusal = async (p: Promise<unknown>): Promise<Refused & { data: any }> => {
  const e = await p.then(
    () => undefined,
    x => x,
  )
  expect(e).toBeInstanceOf(Refused)
  return e as never
}

const receipt = async (who = me) => (await t.ask(printSettings, {}, who)).find(s => s.docType === 'receipt')!

it('every kind prints by its defaults until somebody saves, then as saved, in his company alone', async () => {
  expect((await t.ask(printSettings, {}, me)).map(s => s.docType)).toEqual(Object.keys(docType.rows))
  expect(await receipt()).toMatchObject({
    title: '收款收据',
    paperSize: 'third',
    copies: 3,
    copyNames: ['存根', '缴费人', '记账'],
    version: 0,
  })
  expect((await receipt()).id).toBeUndefined()
  const saved = await t.ask(
    putPrint,
    {
      ...settingOf('receipt'),
      title: '物业费收据',
      paperSize: 'half',
      parts: ['no', 'date', 'capitals'],
      footer: '款项已收讫',
    } as never,
    me,
  )
  expect(saved).toMatchObject({ docType: 'receipt', version: 1 })
  expect(await receipt()).toMatchObject({
    title: '物业费收据',
    paperSize: 'half',
    parts: ['no', 'date', 'capitals'],
    footer: '款项已收讫',
  })
  expect(await receipt(other)).toMatchObject({ title: '收款收据', version: 0 })
  const db = t.store.reader(owner)
  const scope = systemScope(owner)
  expect(await paperOf(db, scope, 'receipt', 'GOLD0001')).toMatchObject({
    docType: 'receipt',
    title: '物业费收据',
    paperSize: 'half',
    parts: ['no', 'date', 'capitals'],
    companyName: expect.any(String),
    estateName: expect.any(String),
  })
  expect(await paperOf(db, scope, 'demand', undefined)).toMatchObject({
    docType: 'demand',
    ...printDefaults.demand,
  })
})

it('says what cannot be printed at its field, and keeps nothing of it (PRINT-3)', async () => {
  const no = await refusal(
    t.ask(
      putPrint,
      {
        ...settingOf('visitor'),
        marginLeft: 25,
        marginRight: 20,
        copies: 1,
        copyNames: ['存根', '记账'],
      } as never,
      me,
    ),
  )
  expect([no.code, no.data]).toEqual([
    code.input,
    [
      { Field: 'MarginLeft', Message: '左右边距太大，纸宽 80 mm，至少要留 40 mm' },
      { Field: 'CopyNames', Message: '各联名称多于联数，最多 1 个' },
    ],
  ])
  expect((await t.ask(printSettings, {}, me)).find(s => s.docType === 'visitor')).toMatchObject({
    version: 0,
    marginLeft: 4,
  })
})

it('two save what nobody had saved: one row, the other is told; and who saw an older one does not write over it', async () => {
  const said = await Promise.allSettled(
    ['甲', '乙'].map(title => t.ask(putPrint, { ...settingOf('bill'), title } as never, me)),
  )
  expect(said.map(s => s.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(
    (await refusal(t.ask(putPrint, { ...settingOf('bill'), title: '丙', version: 0 } as never, me))).code,
  ).toBe(code.stale)
  const again = await t.ask(putPrint, { ...settingOf('bill'), title: '丁', version: 1 } as never, me)
  expect(again).toMatchObject({ title: '丁', version: 2 })
})

it('everybody signed in may read them, to save them is a right', async () => {
  const cashier = await t.as(golden.first.ofRole('cashier'))
  expect((await t.ask(printSettings, {}, cashier)).length).toBe(11)
  expect((await refusal(t.ask(putPrint, settingOf('deposit') as never, cashier))).code).toBe(code.forbidden)
})

it("PRINT-4: a project has a template of its own; without one it prints by the company's; what is dropped leaves its versions", async () => {
  const of = { estateCode: 'GOLD0001' }
  const title = async (where: object) =>
    (await t.ask(printSettings, where as never, me)).find(s => s.docType === 'deposit')!.title
  await t.ask(putPrint, { ...settingOf('deposit'), title: '公司押金收据' } as never, me)
  expect(await title(of)).toBe('公司押金收据')
  const own = await t.ask(
    putPrint,
    {
      ...settingOf('deposit'),
      ...of,
      title: '{项目}押金收据',
      labels: [{ part: 'item', label: '押金种类' }],
      parts: ['date', 'no', 'amount', 'item'],
    } as never,
    me,
  )
  expect(own).toMatchObject({
    estateCode: 'GOLD0001',
    version: 1,
    labels: [{ part: 'item', label: '押金种类' }],
    parts: ['date', 'no', 'amount', 'item'],
  })
  expect([await title(of), await title({})]).toEqual(['{项目}押金收据', '公司押金收据'])
  await t.ask(putPrint, { ...settingOf('deposit'), ...of, title: '再改', version: 1 } as never, me)
  await t.ask(dropPrint, { docType: 'deposit', ...of } as never, me)
  expect(await title(of)).toBe('公司押金收据')
  expect(
    (await t.ask(printEditions, { docType: 'deposit', ...of } as never, me))
      .map(e => e.paper.title)
      .toSorted(),
  ).toEqual(['再改', '{项目}押金收据'].toSorted())
  expect(await t.ask(printEditions, { docType: 'deposit' } as never, other)).toEqual([])
})

it('PRINT-5: a placeholder that is not known is refused at its field with its place; nothing is kept', async () => {
  const no = await refusal(
    t.ask(
      putPrint,
      { ...settingOf('handover'), title: '交账{班次}', footer: '合计 {金额', header: '多一个}' } as never,
      me,
    ),
  )
  expect(no.data.map((d: { Field: string; Message: string }) => [d.Field, d.Message])).toEqual([
    ['Title', expect.stringMatching(/^第 3 个字的「\{班次\}」不能用在这种单据里，可用：\{公司\}/)],
    ['Header', '第 4 个字「}」前面没有「{」'],
    ['Footer', '第 4 个字「{」后面没有「}」'],
  ])
  expect((await t.ask(printSettings, {}, me)).find(s => s.docType === 'handover')).toMatchObject({
    version: 0,
    title: '收费员交账单',
  })
})
