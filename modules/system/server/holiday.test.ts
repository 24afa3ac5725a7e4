import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import {
  addHolidays,
  deleteHolidays,
  editHoliday,
  importHolidays,
  listHolidays,
} from '../contract/holiday.ts'
import { loadIsWorkday } from './holiday.ts'

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  ownerId = defined(
    await t.database.reader('*').one<{ id: Id }>(sql`select min(owner_id) as id from manager`),
  ).id
})

afterAll(() => t?.close())

const year = { holidayDateFrom: '2031-01-01', holidayDateTo: '2031-12-31' } as const

it('GEN-10, ATT-2: Monday to Friday are worked, except for what the calendar says', async () => {
  await t.call(
    addHolidays,
    { holidayDate: '2031-10-01', to: '2031-10-07', holidayName: '国庆节', dayType: 'rest' },
    me,
  )
  await t.call(addHolidays, { holidayDate: '2031-10-11', holidayName: '国庆调休', dayType: 'work' }, me)
  await t.call(addHolidays, { holidayDate: '2031-03-18', holidayName: '公司成立日', dayType: 'own' }, me)
  const isWorkday = await loadIsWorkday(t.database.reader(ownerId), ownerId)
  // 2031-10-08 is a Wednesday, 10-11 a Saturday that is worked, 10-12 a Sunday, 03-18 a Tuesday off.
  expect(
    (
      [
        '2031-09-30',
        '2031-10-01',
        '2031-10-07',
        '2031-10-08',
        '2031-10-11',
        '2031-10-12',
        '2031-03-18',
        '2031-03-19',
      ] as const
    ).map(isWorkday),
  ).toEqual([true, false, false, true, true, false, false, true])
})

it('a day is registered once; a range is checked; bad input is refused at its field', async () => {
  expect(
    await refusalMessageOf(
      t.call(
        addHolidays,
        { holidayDate: '2031-09-30', to: '2031-10-02', holidayName: '又一个', dayType: 'rest' },
        me,
      ),
    ),
  ).toBe('2031-10-01 已登记为「国庆节」，请先编辑或删除该条')
  expect(
    await refusalMessageOf(
      t.call(
        addHolidays,
        { holidayDate: '2031-05-02', to: '2031-05-01', holidayName: '劳动节', dayType: 'rest' },
        me,
      ),
    ),
  ).toBe('止日不能早于日期')
  expect(
    await refusalMessageOf(
      t.call(
        addHolidays,
        { holidayDate: '2031-05-01', to: '2031-06-30', holidayName: '劳动节', dayType: 'rest' },
        me,
      ),
    ),
  ).toContain('最多登记 31 天')
  expect((await t.call(listHolidays, year, me)).total).toBe(9)
  const both = await Promise.allSettled(
    [1, 2].map(() =>
      t.call(addHolidays, { holidayDate: '2031-05-01', holidayName: '劳动节', dayType: 'rest' }, me),
    ),
  )
  expect([
    both.filter(x => x.status === 'fulfilled').length,
    (await t.call(listHolidays, year, me)).total,
  ]).toEqual([1, 10])
})

it('a day is edited and deleted', async () => {
  const [first] = (await t.call(listHolidays, { ...year, dayType: ['own'] }, me)).rows
  const changed = await t.call(
    editHoliday,
    {
      id: defined(first).id,
      version: defined(first).version,
      holidayDate: '2031-03-19',
      holidayName: '公司成立日',
      dayType: 'own',
    },
    me,
  )
  expect(changed.holidayDate).toBe('2031-03-19')
  await t.call(deleteHolidays, { ids: [String(defined(first).id)], reason: '填写有误' }, me)
  expect((await loadIsWorkday(t.database.reader(ownerId), ownerId))('2031-03-19')).toBe(true)
})

it('IMP-1: a calendar is imported: faults by line, new days added, known ones skipped or overwritten', async () => {
  const file = (csv: string): CallOptions => ({
    ...me,
    upload: {
      ...t.upload('节假日.csv', new TextEncoder().encode(csv)),
      name: '节假日.csv',
      type: 'text/csv',
    },
  })
  const csv = (first: string): string =>
    `日期,名称,类型\n2032-01-01,${first},法定休息\n2032-01-03,元旦调休,调休上班\n2032-01-05,元旦调休,调休上班\n2032-13-01,不存在,法定休息\n2032-01-02,元旦,放假\n2032-01-01,元旦,法定休息\n`
  const check = await t.call(importHolidays.post, {}, file(csv('元旦')))
  // 2032-01-03 is a Saturday, 01-05 a Monday that cannot be worked instead.
  expect([check.good, check.errors?.map(e => [e.line, e.message]), check.repeatedCount]).toEqual([
    2,
    [
      [4, '调休上班应是周六或周日'],
      [5, expect.any(String)],
      [6, expect.any(String)],
    ],
    1,
  ])
  const importCsv = async (text: string, mode: string) => {
    const { importId } = await t.call(importHolidays.post, {}, file(text))
    const { taskId } = await t.call(importHolidays.post, { importId, mode }, me)
    return t.waitForTask(taskId ?? 0)
  }
  const own = (name: string): string =>
    `日期,名称,类型\n2032-01-01,${name},法定休息\n2032-01-03,元旦调休,调休上班\n`
  expect(await importCsv(own('元旦'), 'skip')).toMatchObject({ success: 2, fail: 0 })
  expect(await importCsv(own('新年'), 'skip')).toMatchObject({ success: 0, skipped: 2 })
  expect(await importCsv(own('新年'), 'update')).toMatchObject({ fail: 0 })
  expect(
    (await t.call(listHolidays, { holidayDateFrom: '2032-01-01', holidayDateTo: '2032-12-31' }, me)).rows.map(
      h => [h.holidayDate, h.holidayName, h.dayType],
    ),
  ).toEqual([
    ['2032-01-01', '新年', 'rest'],
    ['2032-01-03', '元旦调休', 'work'],
  ])
})
