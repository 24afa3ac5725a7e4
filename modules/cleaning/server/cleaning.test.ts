import { afterAll, beforeAll, expect, it } from 'vitest'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import {
  cleaningLocations,
  exportLocations,
  importLocations,
  printLocationLabels,
} from '../contract/location.ts'
import { cleaningTemplates } from '../contract/template.ts'
import { signText } from './labels.ts'

const projectCode = 'GOLD0001'
let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
})

afterAll(() => t?.close())

it('a point has a sign that cannot be guessed, its own name on its floor, and a template that is there', async () => {
  const draft = { projectCode, locationName: '屋顶平台', buildCode: 'B1', floorNum: 18, state: 'on' } as const
  const first = await t.call(cleaningLocations.add, draft, me)
  expect(first.qrCode).toMatch(/^[0-9a-f]{24}$/)
  await expect(t.call(cleaningLocations.add, draft, me)).rejects.toThrow('该楼层已有同名保洁点位')
  const second = await t.call(cleaningLocations.add, { ...draft, floorNum: 17 }, me)
  expect(second.qrCode).not.toBe(first.qrCode)
  const { as: cleaner } = await t.addClerk(['cleaning.location.view'])
  expect((await t.call(cleaningLocations.get, { id: first.id }, cleaner)).qrCode).toBeUndefined()
  const changed = await t.call(
    cleaningLocations.edit,
    { ...draft, id: first.id, version: first.version, remark: '每周一次' },
    me,
  )
  expect(changed).toMatchObject({
    remark: '每周一次',
    qrCode: first.qrCode,
    buildName: defined(first.buildName),
  })
  const templateId = asId(999_999_999)
  const unknown = await refusalOf(
    t.call(cleaningLocations.add, { ...draft, locationName: '天台', templateId }, me),
  )
  expect(unknown.data).toMatchObject([{ Field: 'TemplateID' }])
})

it('an optional reference to 0 is none, at adding and at editing', async () => {
  const zero = { buildCode: '0', templateId: asId(0), staffId: asId(0) }
  const draft = { projectCode, locationName: '零号点位', state: 'on' } as const
  const [template] = (await t.call(cleaningTemplates.list, {}, me)).rows
  const added = await t.call(cleaningLocations.add, { ...draft, ...zero }, me)
  expect([added.buildCode, added.templateId, added.staffId]).toEqual([undefined, undefined, undefined])
  const named = { ...draft, id: added.id, templateId: defined(template).id }
  const edited = await t.call(cleaningLocations.edit, { ...named, version: added.version }, me)
  expect(edited.templateId).toBe(defined(template).id)
  const cleared = await t.call(
    cleaningLocations.edit,
    { ...draft, ...zero, id: added.id, version: edited.version },
    me,
  )
  expect([cleared.buildCode, cleared.templateId]).toEqual([undefined, undefined])
})

it('a template that points use stays (BASE-5)', async () => {
  const [template] = (await t.call(cleaningTemplates.list, { keyword: '楼道' }, me)).rows
  await expect(
    t.call(cleaningTemplates.delete, { ids: [String(defined(template).id)], reason: '不再使用' }, me),
  ).rejects.toThrow('保洁点位')
})

it('points are imported by building and template names, and again changed instead of doubled (IMP-5)', async () => {
  const { rows } = await t.call(cleaningLocations.list, { projectCode }, me)
  const buildName = defined(rows.find(row => row.buildCode === 'B1')?.buildName)
  const sheet = `名称,楼栋,楼层,保洁模板,备注\n地下车库,${buildName},-1,楼道,\n垃圾房,,,,北门\n错误点,没有的楼,1,,\n`
  const run = async (mode: 'skip' | 'update') => {
    const bytes = new TextEncoder().encode(sheet)
    const upload = { ...t.upload('保洁点位.csv', bytes), name: '保洁点位.csv', type: 'text/csv' }
    const { importId } = await t.call(importLocations.post, { projectCode }, { ...me, upload })
    const { taskId } = await t.call(
      importLocations.post,
      { projectCode, importId: defined(importId), mode },
      me,
    )
    return t.waitForTask(defined(taskId))
  }
  expect(await run('update')).toMatchObject({ success: 2, fail: 1 })
  const found = async () =>
    (await t.call(cleaningLocations.list, { keyword: '地下车库', projectCode }, me)).rows
  const [garage] = await found()
  expect(garage).toMatchObject({ floorNum: -1, buildCode: 'B1', templateName: '楼道' })
  expect(garage?.qrCode).toMatch(/^[0-9a-f]{24}$/)
  expect(await run('update')).toMatchObject({ success: 0, skipped: 2, fail: 1 })
  expect(await found()).toHaveLength(1)
  expect((await found())[0]?.qrCode).toBe(garage?.qrCode)
  expect((await t.call(exportLocations.get, { projectCode }, me)).name).toMatch(/^保洁点位_\d{8}\.xlsx$/)
})

it('signs are printed as a sheet of labels; a manager of one building prints only those (PERM-6)', async () => {
  const { rows } = await t.call(cleaningLocations.list, { projectCode, size: 200 }, me)
  const print = (ids: readonly string[], as: CallOptions) =>
    t.call(printLocationLabels, { projectCode, ids, address: 'https://anju.example' }, as)
  const file = await print(
    rows.map(row => String(row.id)),
    me,
  )
  const pdf = await readBody(file)
  expect([file.type, pdf.subarray(0, 5).toString()]).toEqual(['application/pdf', '%PDF-'])
  const [elsewhere] = rows.filter(row => row.buildCode !== 'B1')
  const limited = await t.signedInAs(golden.first.buildingOnly)
  await expect(print([String(defined(elsewhere).id)], limited)).rejects.toThrow()
  expect(signText('https://anju.example', { qrCode: 'abc' })).toBe(
    'https://anju.example/cleanmanagement/inspect?point=abc',
  )
})
