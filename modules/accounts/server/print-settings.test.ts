import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resultCode } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { refusalOf, faultsOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { systemReadScope } from '#kit/server/scope.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import {
  docType,
  deletePrintSetting,
  listPrintTemplateVersions,
  listPrintSettings,
  savePrintSetting,
} from '../contract/print-settings.ts'
import { printDefaults, getDefaultPrintSetting } from '../domain/print-settings.ts'
import { loadPrintTemplate } from './public.ts'

let t: GoldenApp
let me: CallOptions
let other: CallOptions
let ownerId: Id = 0

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner, '')
  other = await t.signedInAs(golden.second.owner, '')
  ownerId = t.ownerId
})

afterAll(() => t?.close())

const getReceiptSetting = async (caller = me) =>
  defined((await t.call(listPrintSettings, {}, caller)).find(s => s.docType === 'receipt'))

it('PRINT-2: each kind prints by its defaults until a setting is saved, then by that, in that company only', async () => {
  expect((await t.call(listPrintSettings, {}, me)).map(s => s.docType)).toEqual(Object.keys(docType.rows))
  expect(await getReceiptSetting()).toMatchObject({
    title: '收款收据',
    paperSize: 'third',
    copies: 3,
    copyNames: ['存根', '缴费人', '记账'],
    version: 0,
  })
  expect((await getReceiptSetting()).id).toBeUndefined()
  const saved = await t.call(
    savePrintSetting,
    {
      ...getDefaultPrintSetting('receipt'),
      title: '物业费收据',
      paperSize: 'half',
      parts: ['no', 'date', 'capitals'],
      footer: '款项已收讫',
    },
    me,
  )
  expect(saved).toMatchObject({ docType: 'receipt', version: 1 })
  expect(await getReceiptSetting()).toMatchObject({
    title: '物业费收据',
    paperSize: 'half',
    parts: ['no', 'date', 'capitals'],
    footer: '款项已收讫',
  })
  expect(await getReceiptSetting(other)).toMatchObject({ title: '收款收据', version: 0 })
  const db = t.database.reader(ownerId)
  const scope = systemReadScope(ownerId)
  expect(await loadPrintTemplate(db, scope, 'receipt', 'GOLD0001')).toMatchObject({
    docType: 'receipt',
    title: '物业费收据',
    paperSize: 'half',
    parts: ['no', 'date', 'capitals'],
    companyName: expect.any(String),
    estateName: expect.any(String),
  })
  expect(await loadPrintTemplate(db, scope, 'demand', undefined)).toMatchObject({
    docType: 'demand',
    ...printDefaults.demand,
  })
})

it('what goes to a payer says how the company is reached, as its settings say', async () => {
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`
      update property
      set contact_name = '赵敏', contact_phone = '021-55550000', address = '花园路 1 号'
      where owner_id = ${ownerId}
    `),
  )
  const setting = await getReceiptSetting()
  expect(setting).toMatchObject({
    companyContact: '赵敏',
    companyPhone: '021-55550000',
    companyAddress: '花园路 1 号',
  })
  const template = await loadPrintTemplate(t.database.reader(ownerId), systemReadScope(ownerId), 'demand', '')
  expect(template).toMatchObject({ companyPhone: '021-55550000' })
  expect(template.parts).toContain('contact')
})

it('PRINT-3: what cannot be printed is refused at its field, and nothing is saved', async () => {
  const refusal = await refusalOf(
    t.call(
      savePrintSetting,
      {
        ...getDefaultPrintSetting('visitor'),
        marginLeft: 25,
        marginRight: 20,
        copies: 1,
        copyNames: ['存根', '记账'],
      },
      me,
    ),
  )
  expect([refusal.code, refusal.data]).toEqual([
    resultCode.invalidInput,
    [
      { Field: 'MarginLeft', Message: '左右边距太大，纸宽 80 mm，至少要留 40 mm' },
      { Field: 'CopyNames', Message: '各联名称多于联数，最多 1 个' },
    ],
  ])
  expect((await t.call(listPrintSettings, {}, me)).find(s => s.docType === 'visitor')).toMatchObject({
    version: 0,
    marginLeft: 4,
  })
})

it('of two first saves one is refused; a save of an older version does not overwrite', async () => {
  const results = await Promise.allSettled(
    ['甲', '乙'].map(title => t.call(savePrintSetting, { ...getDefaultPrintSetting('bill'), title }, me)),
  )
  expect(results.map(r => r.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(
    (
      await refusalOf(
        t.call(savePrintSetting, { ...getDefaultPrintSetting('bill'), title: '丙', version: 0 }, me),
      )
    ).code,
  ).toBe(resultCode.stale)
  const again = await t.call(
    savePrintSetting,
    { ...getDefaultPrintSetting('bill'), title: '丁', version: 1 },
    me,
  )
  expect(again).toMatchObject({ title: '丁', version: 2 })
})

it('every account may read the settings, saving needs the permission', async () => {
  const cashier = await t.signedInAs(golden.first.ofRole('cashier'))
  expect((await t.call(listPrintSettings, {}, cashier)).length).toBe(11)
  expect((await refusalOf(t.call(savePrintSetting, getDefaultPrintSetting('deposit'), cashier))).code).toBe(
    resultCode.forbidden,
  )
})

it("PRINT-4: a project prints by its own template, else by the company's; versions stay when it is deleted", async () => {
  const ofProject = { estateCode: 'GOLD0001' }
  const titleOf = async (where: { estateCode?: string }) =>
    defined((await t.call(listPrintSettings, where, me)).find(s => s.docType === 'deposit')).title
  await t.call(savePrintSetting, { ...getDefaultPrintSetting('deposit'), title: '公司押金收据' }, me)
  expect(await titleOf(ofProject)).toBe('公司押金收据')
  const own = await t.call(
    savePrintSetting,
    {
      ...getDefaultPrintSetting('deposit'),
      ...ofProject,
      title: '{项目}押金收据',
      labels: [{ part: 'item', label: '押金种类' }],
      parts: ['date', 'no', 'amount', 'item'],
    },
    me,
  )
  expect(own).toMatchObject({
    estateCode: 'GOLD0001',
    version: 1,
    labels: [{ part: 'item', label: '押金种类' }],
    parts: ['date', 'no', 'amount', 'item'],
  })
  expect([await titleOf(ofProject), await titleOf({})]).toEqual(['{项目}押金收据', '公司押金收据'])
  await t.call(
    savePrintSetting,
    { ...getDefaultPrintSetting('deposit'), ...ofProject, title: '再改', version: 1 },
    me,
  )
  await t.call(deletePrintSetting, { docType: 'deposit', ...ofProject }, me)
  expect(await titleOf(ofProject)).toBe('公司押金收据')
  expect(
    (await t.call(listPrintTemplateVersions, { docType: 'deposit', ...ofProject }, me))
      .map(e => e.paper.title)
      .toSorted(),
  ).toEqual(['再改', '{项目}押金收据'].toSorted())
  expect(await t.call(listPrintTemplateVersions, { docType: 'deposit' }, other)).toEqual([])
})

it('PRINT-5: an unknown placeholder is refused at its field with its position; nothing is saved', async () => {
  const refusal = await refusalOf(
    t.call(
      savePrintSetting,
      {
        ...getDefaultPrintSetting('handover'),
        title: '交账{班次}',
        footer: '合计 {金额',
        header: '多一个}',
      },
      me,
    ),
  )
  expect(faultsOf(refusal).map(d => [d.Field, d.Message])).toEqual([
    ['Title', expect.stringMatching(/^第 3 个字的「\{班次\}」不能用在这种单据中，可用：\{公司\}/)],
    ['Header', '第 4 个字「}」前面没有「{」'],
    ['Footer', '第 4 个字「{」后面没有「}」'],
  ])
  expect((await t.call(listPrintSettings, {}, me)).find(s => s.docType === 'handover')).toMatchObject({
    version: 0,
    title: '收费员交账单',
  })
})
