import { readBody } from '#kit/server/fixtures/read-body.ts'
import { defined } from '#kit/domain/defined.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { openGoldenApp, type GoldenApp, type TaskRow } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { getRoom, listRooms } from '#modules/rooms/contract/room.ts'
import { importRooms } from '#modules/rooms/contract/import-export.ts'
import { addResident, listResidents } from '../contract/resident.ts'
import { listResidencyLog, listResidencies } from '../contract/residency.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
})

afterAll(() => t?.close())
const headerLine = '楼栋,单元,楼层,房号,备注,住户姓名,住户手机号,住户关系,入住日期\n'
const projectInput = { projectCode: 'GOLD0001' }

const previewImport = (csv: string, mode = 'append', as = me, addMissing = false) =>
  t.call(
    importRooms.post,
    { ...projectInput, mode, ...(addMissing ? { addMissing } : {}) },
    {
      ...as,
      upload: {
        ...t.upload('房间.csv', new TextEncoder().encode(headerLine + csv)),
        name: '房间.csv',
        type: 'text/csv',
      },
    },
  )

async function runImport(csv: string, mode = 'append', as = me): Promise<TaskRow> {
  const { importId } = await previewImport(csv, mode, as)
  return t.waitForTask(
    defined(
      (await t.call(importRooms.post, { ...projectInput, importId: defined(importId), mode }, as)).taskId,
    ),
  )
}

const findRoom = async (path: string) =>
  t.call(
    getRoom,
    {
      id: defined(
        defined(
          (await t.call(listRooms, { ...projectInput, keyword: path, size: 5 }, me)).rows.find(
            r => r.path === path,
          ),
        ).id,
      ),
    },
    me,
  )

const listPeople = async (path: string) =>
  (await t.call(listResidencies, { roomId: (await findRoom(path)).id, order: 'id', size: 50 }, me)).rows.map(
    l => [l.userName, l.relation, l.status, l.isMain],
  )

it('mode 3 writes the room and links the resident of the line’s telephone: known ones by number, new ones by name (BASE-13)', async () => {
  const known = await t.call(
    addResident,
    {
      homeProject: 'GOLD0001',
      name: '老相识',
      mobile: '13900008001',
      userType: 'person',
      state: 'normal',
    },
    me,
  )
  const csv =
    '2栋,1,5,A501,甲,,13900008001,,2026-01-05\n2栋,1,5,A502,乙,新相识,13900008002,租户,\n2栋,1,5,A503,丙,,,,\n2栋,1,5,A504,丁,,13900008002,家属,\n'
  expect(await runImport(csv)).toMatchObject({ state: 30, success: 4, fail: 0 })
  expect(await listPeople('2-1-A501')).toEqual([['老相识', 'owner', 'living', true]])
  expect(await listPeople('2-1-A502')).toEqual([['新相识', 'tenant', 'living', false]])
  expect(await listPeople('2-1-A503')).toEqual([])
  expect(await listPeople('2-1-A504')).toEqual([['新相识', 'family', 'living', false]])
  expect(await findRoom('2-1-A501')).toMatchObject({ mainOwnerId: known.id, payerName: '老相识', people: 1 })
  expect(await findRoom('2-1-A502')).toMatchObject({ people: 0 })
  expect((await t.call(listResidents, { mobile: '13900008002' }, me)).total).toBe(1)
  expect(
    (await t.call(listResidencyLog, { roomId: (await findRoom('2-1-A501')).id }, me)).rows.map(m => [
      m.userName,
      m.action,
      m.day,
    ]),
  ).toEqual([['老相识', 'movedIn', '2026-01-05']])
  // Once more: rooms are covered, nobody twice.
  const again = await runImport(
    '2栋,1,5,A501,新备注,,13900008001,,2026-01-05\n2栋,1,5,A502,乙,新相识,13900008002,租户,\n',
  )
  expect(again).toMatchObject({ success: 1, skipped: 1, fail: 0 })
  expect(await listPeople('2-1-A501')).toEqual([['老相识', 'owner', 'living', true]])
  expect((await findRoom('2-1-A501')).remark).toBe('新备注')
})

it('new rooms bring their residents in every mode; rooms that are there keep theirs (BASE-6, BASE-13)', async () => {
  const csv = '2栋,1,5,A511,甲,进来,13900008011,,\n2栋,1,5,A512,乙,没有电话,,,2026-01-05\n'
  expect(await runImport(csv, 'skip')).toMatchObject({
    success: 2,
    fail: 0,
    message: '成功 2，失败 0，跳过 0，登记住户 2',
  })
  expect(await listPeople('2-1-A511')).toEqual([['进来', 'owner', 'living', true]])
  expect(await listPeople('2-1-A512')).toEqual([['没有电话', 'owner', 'living', true]])
  // Not for sale any more: with the day of moving in lived in, without it vacant.
  expect(await findRoom('2-1-A511')).toMatchObject({ roomState: 'vacant', payerName: '进来' })
  expect(await findRoom('2-1-A512')).toMatchObject({ roomState: 'lived', payerName: '没有电话' })
  const other = '2栋,1,5,A511,丙,不进来,13900008012,,\n'
  expect(defined((await previewImport(other, 'replace')).warnings).map(w => [w.column, w.message])).toEqual([
    ['住户姓名', '已有的房间，此住户不会登记'],
  ])
  await runImport(other, 'replace')
  expect(await listPeople('2-1-A511')).toEqual([['进来', 'owner', 'living', true]])
  expect((await findRoom('2-1-A511')).remark).toBe('丙')
  expect((await t.call(listResidents, { name: '不进来' }, me)).total).toBe(0)
})

it('buildings that lines name are offered, added at once, and then take the rooms (BASE-2)', async () => {
  const csv = '8栋,1,3,301,,八栋业主,13900008081,,\n8栋,1,6,601,,,,,\n8栋,2,2,201,,,,,\n2栋,1,5,A581,,,,,\n'
  const seen = await previewImport(csv, 'skip')
  expect(seen.missing).toEqual([{ name: '8栋', note: '2 个单元，6、2 层' }])
  expect(seen).toMatchObject({ good: 1, errorCount: 3 })
  const after = await previewImport(csv, 'skip', me, true)
  expect(after.missing).toBeUndefined()
  expect(after).toMatchObject({ good: 4, errorCount: 0 })
  const { taskId } = await t.call(
    importRooms.post,
    { ...projectInput, importId: defined(after.importId), mode: 'skip' },
    me,
  )
  expect(await t.waitForTask(defined(taskId))).toMatchObject({ success: 4, fail: 0 })
  expect(await listPeople('8-1-301')).toEqual([['八栋业主', 'owner', 'living', true]])
})

it('reports faults of a person at their column, and writes neither person nor room', async () => {
  await t.call(
    addResident,
    {
      homeProject: 'GOLD0001',
      name: '本名',
      mobile: '13900008021',
      userType: 'person',
      state: 'normal',
    },
    me,
  )
  const csv = [
    '2栋,1,5,A511,,没号码,,,',
    '2栋,1,5,A522,,,13900008022,,',
    '2栋,1,5,A523,,改名,13900008021,,',
    '2栋,1,5,A524,,错号,139,,',
    '2栋,1,5,A525,,笑😀脸,13900008025,,',
    '2栋,1,5,A526,,亲戚,13900008026,表哥,',
    '2栋,1,5,A527,,前名,13900008027,,',
    '2栋,1,5,A528,,后名,13900008027,,',
    '',
  ].join('\n')
  const seen = await previewImport(csv)
  expect(defined(seen.errors).map(f => [f.line, f.column, f.message])).toEqual([
    [2, '住户手机号', '追加住户要填写手机号'],
    [3, '住户姓名', '该手机号尚未登记，请填写住户姓名'],
    [4, '住户手机号', '已登记为「本名」'],
    [5, '住户手机号', '住户手机号：手机号格式不正确'],
    [6, '住户姓名', '姓名不能含有表情符号，请删除后再保存'],
    [7, '住户关系', '住户关系「表哥」不存在'],
    [9, '住户手机号', '与第 8 行的「前名」相同，姓名却不同'],
  ])
  // The file of faulty lines speaks of the way that was checked.
  expect(
    (
      await readWorkbook(
        await readBody(await t.call(importRooms.faults, { importId: defined(seen.importId) }, me)),
      )
    ).lines,
  ).toHaveLength(7)
  expect(await runImport(csv)).toMatchObject({ success: 1, fail: 7 })
  expect(
    (await t.call(listRooms, { ...projectInput, keyword: 'A52', size: 50 }, me)).rows.map(r => r.roomNo),
  ).toEqual(['A527'])
})

it('a user who can import rooms but not people gets a message; people of other projects stay hidden (PERM-6)', async () => {
  const clerk = await t.addClerk(['rooms.room.view', 'rooms.room.import'], { privacy: true })
  expect(
    defined((await previewImport('2栋,1,5,A531,,某人,13900008031,,\n', 'append', clerk.as)).errors).map(
      f => f.message,
    ),
  ).toEqual(['无登记住户的权限'])
  await t.call(
    addResident,
    {
      homeProject: 'GOLD0002',
      name: '别处',
      mobile: '13900008032',
      userType: 'person',
      state: 'normal',
    },
    me,
  )
  const estate = await t.signedInAs(golden.first.estateOnly)
  expect(
    defined((await previewImport('2栋,1,5,A532,,别处,13900008032,,\n', 'append', estate)).errors).map(
      f => f.message,
    ),
  ).toEqual(['该住户登记在其他项目，你不能查看'])
})
