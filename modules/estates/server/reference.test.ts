import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { buildings, listBuildings, pickUnits } from '../contract/building.ts'
import { publicAreas } from '../contract/public-area.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
})

afterAll(() => t?.close())

const plainArea = { areaType: 'lobby', rentState: 'vacant' } as const

it('a public area is in a building of its own project, when it is added and when it is edited (BASE-8)', async () => {
  const findBuildings = async (projectCode: string) =>
    (await t.call(listBuildings, { projectCode, page: 1, size: 100 }, { ...me, projectCode })).rows
  const elsewhere = new Set((await findBuildings('GOLD0002')).map(b => b.code))
  const building = (await findBuildings('GOLD0001')).find(b => !elsewhere.has(b.code))
  const add = (name: string, projectCode: string, buildCode: string | undefined) =>
    t.call(
      publicAreas.add,
      { ...plainArea, name, projectCode, ...(buildCode === undefined ? {} : { buildCode }) },
      { ...me, projectCode },
    )
  const area = await add('大堂一', 'GOLD0001', building?.code)
  expect(area.buildName).toBe(building?.name)
  for (const refused of [
    await refusalOf(add('大堂二', 'GOLD0001', 'NOSUCH')),
    await refusalOf(add('大堂三', 'GOLD0002', building?.code)),
    await refusalOf(t.call(publicAreas.edit, { ...area, buildCode: 'NOSUCH' }, me)),
  ]) {
    expect(refused.data).toEqual([{ Field: 'Buildcode', Message: '楼栋不存在或不属于所选项目，请重新选择' }])
  }
  expect(await t.call(publicAreas.edit, { ...area, remark: '改' }, me)).toMatchObject({ remark: '改' })
})

it('a building that is deleted takes its units along, those of others stay (BASE-5)', async () => {
  const add = (name: string) =>
    t.call(
      buildings.add,
      { projectCode: 'GOLD0001', name, units: 2, unitType: 'number', floors: ['3'] },
      { ...me, projectCode: 'GOLD0001' },
    )
  const [deleted, kept] = [await add('拆一栋'), await add('留一栋')]
  await t.call(buildings.delete, { ids: [String(deleted.id)], reason: '录入有误' }, me)
  const countUnits = async (buildCode = '') =>
    (await t.call(pickUnits, { projectCode: 'GOLD0001', buildCode }, me)).length
  expect([await countUnits(deleted.code), await countUnits(kept.code)]).toEqual([0, 2])
})
