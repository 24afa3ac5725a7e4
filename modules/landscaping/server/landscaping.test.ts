import { afterAll, beforeAll, expect, it } from 'vitest'
import { readXlsx } from 'hucre/xlsx'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { exportGreenAreas, greenAreas } from '../contract/green-area.ts'
import { exportPlants, pickPlants, plants } from '../contract/plant.ts'
import { greenTemplates } from '../contract/template.ts'

const projectCode = 'GOLD0001'
let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
})

afterAll(() => t?.close())

const plantDraft = (plantName: string) => ({ plantName, plantType: 'tree', unit: '株' }) as const

it('an area says what grows in it, a plant where it stands and how many there are', async () => {
  const ginkgo = await t.call(plants.save, plantDraft('银杏'), me)
  const maple = await t.call(plants.save, plantDraft('鸡爪槭'), me)
  const add = (areaName: string, ...lines: { plantId: Id; qty: string }[]) =>
    t.call(greenAreas.save, { projectCode, areaName, plants: lines }, me)
  const north = await add('北庭', { plantId: ginkgo.id, qty: '12' }, { plantId: maple.id, qty: '3.5' })
  await add('南庭', { plantId: ginkgo.id, qty: '8' })
  expect(north).toMatchObject({
    plantNames: '银杏、鸡爪槭',
    plantIds: [String(ginkgo.id), String(maple.id)],
    plants: [
      { plantId: ginkgo.id, plantName: '银杏', qty: '12', unit: '株' },
      { plantId: maple.id, plantName: '鸡爪槭', qty: '3.5', unit: '株' },
    ],
  })
  expect(await t.call(plants.get, { id: ginkgo.id }, { ...me, projectCode })).toMatchObject({
    qty: '20',
    areaNames: '北庭、南庭',
  })
  // Of the chosen project alone; without one each area with its project.
  await t.call(
    greenAreas.save,
    { projectCode: 'GOLD0002', areaName: '东庭', plants: [{ plantId: ginkgo.id, qty: '5' }] },
    me,
  )
  expect((await t.call(plants.get, { id: ginkgo.id }, { ...me, projectCode })).qty).toBe('20')
  const everywhere = await t.call(plants.get, { id: ginkgo.id }, { ...me, projectCode: undefined })
  expect(everywhere.qty).toBe('25')
  expect(everywhere.areaNames).toMatch(/\S+ 北庭、\S+ 南庭、\S+ 东庭/)
  // The catalogue names a plant: the areas follow it.
  await t.call(plants.save, { ...plantDraft('古银杏'), id: ginkgo.id, version: ginkgo.version }, me)
  expect((await t.call(greenAreas.get, { id: north.id }, me)).plantNames).toBe('古银杏、鸡爪槭')
  const inNorth = await t.call(plants.list, { areaId: north.id }, me)
  expect(inNorth.rows.map(row => row.plantName).toSorted()).toEqual(['古银杏', '鸡爪槭'].toSorted())
  expect((await t.call(greenAreas.list, { plantId: maple.id }, me)).rows.map(row => row.id)).toEqual([
    north.id,
  ])
})

it('a plant that is somewhere stays, twice in an area is refused, one that is not there as well (BASE-5, G-13)', async () => {
  const pine = await t.call(plants.save, plantDraft('油松'), me)
  const line = { plantId: pine.id, qty: '2' }
  const area = { projectCode, areaName: '松园' } as const
  const twice = await refusalOf(t.call(greenAreas.save, { ...area, plants: [line, line] }, me))
  expect(twice.data).toEqual([{ Field: 'Plants[1].PlantID', Message: '该植物已在上方，请合并数量' }])
  const unknown = { plantId: asId(999_999_999), qty: '1' }
  await expect(t.call(greenAreas.save, { ...area, plants: [unknown] }, me)).rejects.toThrow('植物')
  const saved = await t.call(greenAreas.save, { ...area, plants: [line] }, me)
  const remove = () => t.call(plants.delete, { ids: [String(pine.id)], reason: '录入有误' }, me)
  await expect(remove()).rejects.toThrow('绿化区域')
  await expect(t.call(greenAreas.save, area, me)).rejects.toThrow('该项目已有同名绿化区域')
  await t.call(greenAreas.delete, { ids: [String(saved.id)], reason: '已改作他用' }, me)
  await remove()
  await expect(t.call(plants.save, plantDraft('香樟'), me)).rejects.toThrow('已有此名称的植物')
})

it('photos of plants and areas are pictures of the company; what is kept is not asked again (0§5)', async () => {
  const save = (ownerId: Id, type: string) =>
    t.app.files.save(ownerId, 0, { name: '照片', type, bytes: Buffer.from(type) })
  const other = await t.database.reader('*').one<{ ownerId: Id }>(sql`
    select owner_id from manager where login_code = ${golden.second.owner}
  `)
  const foreign = await save(defined(other).ownerId, 'image/png')
  const text = await save(t.ownerId, 'text/html')
  for (const photo of ['<script>', '1', foreign, text]) {
    const plant = { ...plantDraft(`照片${photo}`.slice(0, 20)), photos: [photo] }
    await expect(t.call(plants.save, plant, me), photo).rejects.toThrow()
    await expect(
      t.call(greenAreas.save, { projectCode, areaName: '照片园', photos: [photo] }, me),
      photo,
    ).rejects.toThrow()
  }
  const kept = await t.call(greenAreas.save, { projectCode, areaName: '旧照片园' }, me)
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update green_area set photos = array['old'] where owner_id = ${t.ownerId} and id = ${kept.id}
    `),
  )
  const draft = { id: kept.id, version: kept.version, projectCode, areaName: '旧照片园' }
  expect((await t.call(greenAreas.save, { ...draft, photos: ['old'] }, me)).photos).toEqual(['old'])
})

it('areas of another project are neither seen nor changed by a manager of one (PERM-6)', async () => {
  const other = await t.call(greenAreas.save, { projectCode: 'GOLD0002', areaName: '二期绿地' }, me)
  const limited = await t.signedInAs(golden.first.estateOnly)
  await expect(t.call(greenAreas.get, { id: other.id }, limited)).rejects.toThrow()
  const file = await t.call(exportGreenAreas.get, {}, me)
  expect(file.name).toMatch(/^绿化区域_\d{8}\.xlsx$/)
})

it('the exports of plants and areas hold what their lists compute (EXP-4)', async () => {
  const lotus = await t.call(plants.save, plantDraft('睡莲'), me)
  const pond = await t.call(
    greenAreas.save,
    { projectCode, areaName: '荷塘', plants: [{ plantId: lotus.id, qty: '6' }] },
    me,
  )
  const read = async (answer: object) => defined((await readXlsx(await readBody(answer))).sheets[0]).rows
  const lineOf = (rows: readonly (readonly unknown[])[], name: string) =>
    defined(rows.find(row => row.includes(name))).map(String)
  const [plantIds, areaIds] = [[String(lotus.id)], [String(pond.id)]]
  const shown = ['plantName', 'plantType', 'qty', 'unit', 'areaNames']
  const chosen = await read(await t.call(exportPlants.get, { columns: shown, ids: plantIds }, me))
  expect(lineOf(chosen, '睡莲')).toEqual(['睡莲', '乔木', '6', '株', '荷塘'])
  const whole = await read(await t.call(exportPlants.get, { ids: plantIds }, me))
  expect(lineOf(whole, '睡莲').slice(0, 5)).toEqual(['睡莲', '乔木', '株', '6', '荷塘'])
  const areaColumns = ['areaName', 'estateName', 'plantNames', 'position']
  const areas = await read(await t.call(exportGreenAreas.get, { columns: areaColumns, ids: areaIds }, me))
  expect(areas[2]).toEqual(['名称', '项目', '植物', '位置'])
  expect(lineOf(areas, '荷塘')[2]).toBe('睡莲')
  expect(lineOf(areas, '荷塘')[1]).toMatch(/[一-龥]/)
})

it('pickers find plants by name; templates hold their items in order', async () => {
  const found = await t.call(pickPlants, { keyword: '桂' }, me)
  expect(found.rows.map(row => row.plantName)).toEqual(['桂花'])
  const item = (name: string) => ({ name, weight: 2, needsPhoto: false, raisesOrder: false })
  const template = await t.call(
    greenTemplates.save,
    { templateName: '雨季巡检', state: 'on', items: [item('排水通畅'), item('无积水')] },
    me,
  )
  expect(template).toMatchObject({ itemCount: 2, items: [{ name: '排水通畅' }, { name: '无积水' }] })
  await expect(
    t.call(greenTemplates.save, { templateName: '空模板', state: 'on', items: [] }, me),
  ).rejects.toThrow()
})
