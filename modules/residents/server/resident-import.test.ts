import { readBody } from '#kit/server/fixtures/read-body.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp, type TaskRow } from '#db/golden/golden-app.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { cellToText } from '#kit/server/workbook/worksheet.ts'
import { golden } from '#db/golden/golden-data.ts'
import { listRoomChanges } from '#modules/rooms/contract/room-change.ts'
import { addRoom, getRoom, type Room, listRooms } from '#modules/rooms/contract/room.ts'
import { addResident, listResidents, getResident } from '../contract/resident.ts'
import { listResidencyLog, listResidencies } from '../contract/residency.ts'
import { exportResidents, importResidents } from '../contract/import-export.ts'

let t: GoldenApp
let me: CallOptions
let counter = 0

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
})

afterAll(() => t?.close())

const createRoom = async (): Promise<Room> => {
  counter++
  return t.call(
    addRoom,
    {
      projectCode: 'GOLD0001',
      buildCode: 'B2',
      unitName: '1',
      floorNum: 1 + (counter % 6),
      roomNo: `I${100 + counter}`,
      roomType: 'home',
      roomState: 'vacant',
      state: 'on',
      deliverDate: '2024-01-01',
    },
    me,
  )
}

const csvUpload = (csv: string, as = me): CallOptions => ({
  ...as,
  upload: { ...t.upload('住户.csv', new TextEncoder().encode(csv)), name: '住户.csv', type: 'text/csv' },
})

const previewImport = (csv: string, as = me) =>
  t.call(importResidents.post, { projectCode: 'GOLD0001' }, csvUpload(csv, as))

async function runImport(csv: string, mode = 'skip', as = me): Promise<TaskRow> {
  const { importId } = await previewImport(csv, as)
  return t.waitForTask(
    defined(
      (await t.call(importResidents.post, { projectCode: 'GOLD0001', importId: defined(importId), mode }, as))
        .taskId,
    ),
  )
}

const readResultRows = async ({ resultFile = '' }: TaskRow): Promise<string[][]> => {
  const file = await t.app.files.find(asId(1), resultFile)
  if (!file) throw new Error('no file of results')
  const { lines } = await file.withPath(readWorkbook)
  return lines.map(line => line.cells.map(cellToText))
}

const findByName = async (name: string) => (await t.call(listResidents, { name, size: 50 }, me)).rows

it('tells every fault by line and column, and writes nothing (IMP-1, IMP-6)', async () => {
  const r = await createRoom()
  const csv = [
    '姓名,手机号,证件类型,证件号,生日,楼栋,单元,房号,关系,主业主,入住日期,租期起',
    `好人,13800000001,,,,2栋,1,${r.roomNo},业主,是,2026-01-01,`,
    '表😀情,13800000002,,,,,,,,,,',
    '错号,138,,,,,,,,,,',
    '假证,13800000003,身份证,110105194912310021,,,,,,,,',
    '未来,13800000004,,,2027-01-01,,,,,,,',
    '没房,13800000005,,,,2栋,1,9999,业主,,,',
    '没栋,13800000006,,,,九栋,1,101,业主,,,',
    '缺单元,13800000007,,,,2栋,,101,业主,,,',
    `没关系,13800000008,,,,2栋,1,${r.roomNo},,,,`,
    `不同名,13800000001,,,,2栋,1,${r.roomNo},家属,,,`,
    `二主,13800000009,,,,2栋,1,${r.roomNo},业主,是,,`,
    `租主,13800000010,,,,2栋,1,${r.roomNo},租户,是,,`,
    `业租,13800000011,,,,2栋,1,${r.roomNo},业主,,,2026-01-01`,
    `好人,13800000001,,,,2栋,1,${r.roomNo},业主,是,,`,
  ].join('\n')
  const seen = await previewImport(csv)
  expect(defined(seen.errors).map(f => [f.line, f.column, f.message])).toEqual([
    [3, '姓名', '姓名不能含有表情符号，请删除后再保存'],
    [4, '手机号', '手机号格式不正确'],
    [5, '证件号', '身份证号校验位不正确，请核对'],
    [6, '生日', '生日不能晚于今天'],
    [7, '房号', '没有房间「1单元 9999」'],
    [8, '楼栋', '楼栋「九栋」不存在'],
    [9, '单元', '楼栋、单元、房号要一起填写'],
    [10, '关系', '关系不能为空'],
    [11, '手机号', '与第 2 行的「好人」相同，姓名却不同'],
    [12, '主业主', '第 2 行已是该房间的主业主'],
    [13, '主业主', '租户不能设为主业主，请先把关系改为业主'],
    [13, '主业主', '第 2 行已是该房间的主业主'],
    [14, '租期起', '只有租户填写租期'],
    [15, '主业主', '第 2 行已是该房间的主业主'],
  ])
  expect(defined(seen.repeated).map(f => [f.line, f.message])).toEqual([
    [11, '与第 2 行重复'],
    [15, '与第 2 行重复'],
  ])
  expect([seen.good, await findByName('好人')]).toEqual([1, []])
})

it('imports a family: one person in several lines, several people in one room', async () => {
  const a = await createRoom()
  const b = await createRoom()
  const done = await runImport(
    `姓名,手机号,证件号,楼栋,单元,房号,关系,缴费人,入住日期,标签\n导入主,13811110001,11010519491231002X,2栋,1,${a.roomNo},业主,是,2026-03-01,党员\n导入主,13811110001,,2,1单元,${b.roomNo},业主,,,\n导入属,,,2栋,1,${a.roomNo},家属,,2026-03-01,\n无房人,13811110002,,,,,,,,\n`,
  )
  expect(done).toMatchObject({ state: 30, success: 4, fail: 0 })
  const [main] = await findByName('导入主')
  expect(main).toMatchObject({ birthday: '1949-12-31', gender: 'female', source: 'import', tags: ['党员'] })
  expect(defined(defined(main).homes).map(h => [h.roomPath, h.isMain, h.isPayer])).toEqual([
    [a.path, true, true],
    // Its main owner pays, unless somebody else is named (BASE-9).
    [b.path, true, true],
  ])
  expect(await t.call(getRoom, { id: a.id }, me)).toMatchObject({
    mainOwnerName: '导入主',
    people: 2,
    roomState: 'lived',
  })
  expect(await t.call(getRoom, { id: b.id }, me)).toMatchObject({
    mainOwnerName: '导入主',
    people: 0,
    roomState: 'vacant',
  })
  expect(defined((await findByName('无房人'))[0]).homes ?? []).toEqual([])
  expect(
    (await t.call(listResidencyLog, { roomId: a.id }, me)).rows
      .map(x => [x.userName, x.action])
      .toSorted(([x], [y]) => (String(x) < String(y) ? -1 : 1)),
  ).toEqual([
    ['导入主', 'movedIn'],
    ['导入属', 'movedIn'],
  ])
  expect((await t.call(listResidents, { keyword: 'drz' }, me)).rows.map(x => x.name)).toEqual(['导入主'])
})

it('repeats nothing when imported twice; overwriting leaves empty cells as they are', async () => {
  const r = await createRoom()
  const head = '姓名,手机号,楼栋,单元,房号,关系,备注,工作单位,入住日期\n'
  await runImport(
    `${head}再导,13822220001,2栋,1,${r.roomNo},业主,原备注,原单位,2026-01-01\n再属,,2栋,1,${r.roomNo},家属,,,2026-01-01\n`,
  )
  const again = await runImport(
    `${head}再导,13822220001,2栋,1,${r.roomNo},业主,新备注,,\n再属,,2栋,1,${r.roomNo},家属,,,\n`,
  )
  expect(again).toMatchObject({ success: 0, skipped: 2 })
  const cover = await runImport(`${head}再导,13822220001,2栋,1,${r.roomNo},租户,新备注,,\n`, 'update')
  expect(cover).toMatchObject({ success: 1 })
  const [p] = await findByName('再导')
  expect(p).toMatchObject({ remark: '新备注', workUnit: '原单位' })
  expect(
    (await t.call(listResidencies, { roomId: r.id, order: 'id' }, me)).rows.map(l => [
      l.userName,
      l.relation,
      l.inDate,
    ]),
  ).toEqual([
    ['再导', 'tenant', '2026-01-01'],
    ['再属', 'family', '2026-01-01'],
  ])
})

it('links rooms to registered residents, found by mobile or document (BASE-13)', async () => {
  const r = await createRoom()
  const p = await t.call(
    addResident,
    {
      homeProject: 'GOLD0001',
      name: '老客',
      mobile: '13833330001',
      certType: 'passport',
      certNo: 'E7654321',
      userType: 'person',
      state: 'normal',
    },
    me,
  )
  expect(
    await runImport(`姓名,证件类型,证件号,楼栋,单元,房号,关系\n老客,护照,e7654321,2栋,1,${r.roomNo},业主\n`),
  ).toMatchObject({ success: 1 })
  expect(defined((await t.call(getResident, { id: p.id }, me)).homes).map(h => h.roomPath)).toEqual([r.path])
  expect(
    defined((await previewImport('姓名,手机号\n他人,13833330001\n')).errors).map(f => f.message),
  ).toEqual(['已登记为「老客」'])
})

it('another mobile in a line ends what was bound to the old one, the same one nothing (BASE-14)', async () => {
  const row = (mobile: string) => `姓名,手机号,证件类型,证件号\n换号人,${mobile},护照,E7654399\n`
  await runImport(row('13833330011'))
  const [person] = await findByName('换号人')
  const { id } = defined(person)
  const bind = () =>
    t.database.tx(1, tx =>
      tx.execute(sql`update resident set app_bind = true where owner_id = 1 and id = ${id}`),
    )
  const isBound = async () => (await t.call(getResident, { id }, me)).appBind
  await bind()
  await runImport(row('13833330011'), 'update')
  expect(await isBound()).toBe(true)
  await runImport(row('13833330012'), 'update')
  expect(await isBound()).toBe(false)
  const written = await t.database.reader(1).rows(sql`
    select before, after, reason
    from audit_log
    where owner_id = 1 and entity = 'resident' and entity_id = ${id} and action = 'update'
  `)
  expect(written).toEqual([
    { before: { mobile: '13833330011' }, after: { mobile: '13833330012' }, reason: '批量导入' },
  ])
})

it('two imports of one file at once register everybody once', async () => {
  const r = await createRoom()
  const csv = `姓名,手机号,楼栋,单元,房号,关系\n${Array.from({ length: 30 }, (_, i) => `并发${i},138444400${String(i).padStart(2, '0')},2栋,1,${r.roomNo},家属`).join('\n')}\n`
  const done = await Promise.all([runImport(csv), runImport(csv)])
  expect(done.map(d => d.success + d.skipped)).toEqual([30, 30])
  expect(done.reduce((s, d) => s + d.success, 0)).toBe(30)
  expect(
    defined(
      await t.database
        .reader('*')
        .one<{ n: number }>(sql`select count(*)::int as n from resident where name like '并发%'`),
    ).n,
  ).toBe(30)
})

it('keeps an import to the building that is the caller’s (PERM-6)', async () => {
  const building = await t.signedInAs(golden.first.buildingOnly)
  expect(
    defined(
      (await previewImport('姓名,手机号,楼栋,单元,房号,关系\n越界,13855550001,2栋,1,101,业主\n', building))
        .errors,
    ).map(f => f.message),
  ).toEqual(['楼栋「2栋」不存在'])
})

it('exports what the list shows, masked for those who may not see, and takes it back unchanged (EXP-1, EXP-4)', async () => {
  const r = await createRoom()
  await runImport(
    `姓名,手机号,楼栋,单元,房号,关系,入住日期,缴费人\n导出甲,13866660001,2栋,1,${r.roomNo},业主,2026-02-01,是\n导出乙,,2栋,1,${r.roomNo},家属,2026-02-01,\n`,
  )
  const bytes = async (as: CallOptions): Promise<Uint8Array> =>
    readBody(await t.call(exportResidents.get, { keyword: '导出' }, as))
  const seen = await t.call(
    importResidents.post,
    { projectCode: 'GOLD0001' },
    {
      ...me,
      upload: t.upload('住户.xlsx', await bytes(me)),
    },
  )
  expect([seen.rows, seen.errorCount, seen.existingCount, seen.good]).toEqual([2, 0, 2, 0])
  const done = await t.waitForTask(
    defined(
      (
        await t.call(
          importResidents.post,
          { projectCode: 'GOLD0001', importId: defined(seen.importId), mode: 'update' },
          me,
        )
      ).taskId,
    ),
  )
  expect(done).toMatchObject({ success: 0, skipped: 2, fail: 0 })
  const masked = await t.call(
    importResidents.post,
    { projectCode: 'GOLD0001' },
    {
      ...me,
      upload: t.upload('住户.xlsx', await bytes(await t.signedInAs(golden.first.estateOnly))),
    },
  )
  expect(defined(masked.errors).map(f => [f.value, f.message])).toEqual([
    ['138****0001', '手机号含有星号，请填写完整的号码'],
  ])
})

it('says when a line takes over paying from somebody else, from its day of moving in (BASE-9, C27-7)', async () => {
  const r = await createRoom()
  await runImport(
    `姓名,手机号,楼栋,单元,房号,关系,缴费人,入住日期\n先缴者,13811119001,2栋,1,${r.roomNo},业主,是,2026-01-01\n`,
  )
  const task = await runImport(
    `姓名,手机号,楼栋,单元,房号,关系,缴费人,入住日期\n后缴者,13811119002,2栋,1,${r.roomNo},租户,是,2026-11-10\n`,
  )
  expect(task).toMatchObject({ state: 30, success: 1 })
  expect((await readResultRows(task)).flat()).toContain('已导入；缴费人由「先缴者」改为「后缴者」')
  const changes = await t.call(listRoomChanges, { roomId: r.id, item: ['payer'] }, me)
  expect(changes.rows.map(c => [c.oldValue, c.newValue, c.effectiveDate])).toEqual([
    ['先缴者', '后缴者', '2026-11-10'],
    [undefined, '先缴者', '2026-01-01'],
  ])
})

it('refuses a line whose payer would begin behind what may be entered (C27-7)', async () => {
  const r = await createRoom()
  await runImport(
    `姓名,手机号,楼栋,单元,房号,关系,缴费人,入住日期\n原缴者,13811119003,2栋,1,${r.roomNo},业主,是,2019-01-01\n`,
  )
  const seen = await previewImport(
    `姓名,手机号,楼栋,单元,房号,关系,缴费人,入住日期\n早缴者,13811119004,2栋,1,${r.roomNo},租户,是,2020-01-01\n`,
  )
  expect(defined(seen.errors).map(f => [f.column, f.message])).toEqual([
    ['入住日期', '更换缴费人：最多可以追溯 366 天，生效日期不能早于 2025-11-20，请改填该日或之后的日期'],
  ])
})

it('a room that was never handed over is pointed out where somebody is only registered (BASE-6)', async () => {
  const [room] = (await t.call(listRooms, { projectCode: 'GOLD0001', roomState: ['unsold'], size: 1 }, me))
    .rows
  const lineOf = (inDate: string): string =>
    `姓名,手机号,楼栋,单元,房号,关系,入住日期\n先登记,13800000031,${defined(room).buildName},${defined(room).unitName},${defined(room).roomNo},业主,${inDate}\n`
  expect(defined((await previewImport(lineOf(''))).warnings).map(w => [w.column, w.message])).toEqual([
    ['入住日期', '房间为「未售」，只登记住户，房态不变'],
  ])
  expect((await previewImport(lineOf('2026-01-05'))).warnings ?? []).toEqual([])
})
