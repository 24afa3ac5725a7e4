import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '../../../db/golden/golden-app.ts'
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
let ownerId = 0

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  ownerId = (await t.database.reader('*').one<{ id: number }>(sql`select min(owner_id) as id from manager`))!
    .id
})

afterAll(() => t?.close())

const getRefusalMessage = async (p: Promise<unknown>): Promise<string> => {
  const e = await p.then(
    () => undefined,
    x => x,
  )
  expect(e).toBeInstanceOf(Refused)
  return (e as Refused).message
}

const year = { holidayDateFrom: '2031-01-01', holidayDateTo: '2031-12-31' }

it('GEN-10, ATT-2 the calendar says which days are worked: Monday to Friday but for what is written down', async () => {
  await t.call(
    addHolidays,
    { holidayDate: '2031-10-01', to: '2031-10-07', holidayName: '国庆节', dayType: 'rest' } as never,
    me,
  )
  await t.call(
    addHolidays,
    { holidayDate: '2031-10-11', holidayName: '国庆调休', dayType: 'work' } as never,
    me,
  )
  await t.call(
    addHolidays,
    { holidayDate: '2031-03-18', holidayName: '公司成立日', dayType: 'own' } as never,
    me,
  )
  const works = await loadIsWorkday(t.database.reader(ownerId), ownerId)
  // 2031-10-08 is a Wednesday, 10-11 a Saturday that is worked, 10-12 a Sunday, 03-18 a Tuesday off.
  expect(
    [
      '2031-09-30',
      '2031-10-01',
      '2031-10-07',
      '2031-10-08',
      '2031-10-11',
      '2031-10-12',
      '2031-03-18',
      '2031-03-19',
    ].map(works),
  ).toEqual([true, false, false, true, true, false, false, true])
})

it('a day is written down once; ranges are sane; bad input is told at its field', async () => {
  expect(
    await getRefusalMessage(
      t.call(
        addHolidays,
        { holidayDate: '2031-09-30', to: '2031-10-02', holidayName: '又一个', dayType: 'rest' } as never,
        me,
      ),
    ),
  ).toBe('2031-10-01 已登记为「国庆节」，请先编辑或删除那一条')
  expect(
    await getRefusalMessage(
      t.call(
        addHolidays,
        { holidayDate: '2031-05-02', to: '2031-05-01', holidayName: '劳动节', dayType: 'rest' } as never,
        me,
      ),
    ),
  ).toBe('止日不能早于日期')
  expect(
    await getRefusalMessage(
      t.call(
        addHolidays,
        { holidayDate: '2031-05-01', to: '2031-06-30', holidayName: '劳动节', dayType: 'rest' } as never,
        me,
      ),
    ),
  ).toContain('最多登记 31 天')
  expect((await t.call(listHolidays, year as never, me)).total).toBe(9)
  const both = await Promise.allSettled(
    [1, 2].map(() =>
      t.call(addHolidays, { holidayDate: '2031-05-01', holidayName: '劳动节', dayType: 'rest' } as never, me),
    ),
  )
  expect([
    both.filter(x => x.status === 'fulfilled').length,
    (await t.call(listHolidays, year as never, me)).total,
  ]).toEqual([1, 10])
})

it('a day is changed and taken away', async () => {
  const [first] = (await t.call(listHolidays, { ...year, dayType: ['own'] } as never, me)).rows
  const changed = await t.call(
    editHoliday,
    {
      id: first!.id,
      version: first!.version,
      holidayDate: '2031-03-19',
      holidayName: '公司成立日',
      dayType: 'own',
    },
    me,
  )
  expect(changed.holidayDate).toBe('2031-03-19')
  await t.call(deleteHolidays, { ids: [String(first!.id)], reason: '填写有误' }, me)
  expect((await loadIsWorkday(t.database.reader(ownerId), ownerId))('2031-03-19')).toBe(true)
})

it('IMP-1 a year comes in from a sheet: faults by line, the good days go in, known ones are left or written over', async () => {
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
  const look = await t.call(importHolidays.post, {} as never, file(csv('元旦')))
  // 2032-01-03 is a Saturday, 01-05 a Monday that cannot be worked instead.
  expect([look.good, look.errors!.map(e => [e.line, e.says]), look.repeatedCount]).toEqual([
    2,
    [
      [4, '调休上班应是周六或周日'],
      [5, expect.any(String)],
      [6, expect.any(String)],
    ],
    1,
  ])
  const bring = async (text: string, mode: string) => {
    const { importId } = await t.call(importHolidays.post, {} as never, file(text))
    return t.waitForTask(
      (await t.call(importHolidays.post, { importId: importId!, mode } as never, me)).taskId!,
    )
  }
  const own = (name: string): string =>
    `日期,名称,类型\n2032-01-01,${name},法定休息\n2032-01-03,元旦调休,调休上班\n`
  expect(await bring(own('元旦'), 'skip')).toMatchObject({ success: 2, fail: 0 })
  expect(await bring(own('新年'), 'skip')).toMatchObject({ success: 0, skipped: 2 })
  expect(await bring(own('新年'), 'update')).toMatchObject({ fail: 0 })
  expect(
    (
      await t.call(listHolidays, { holidayDateFrom: '2032-01-01', holidayDateTo: '2032-12-31' } as never, me)
    ).rows.map(h => [h.holidayDate, h.holidayName, h.dayType]),
  ).toEqual([
    ['2032-01-01', '新年', 'rest'],
    ['2032-01-03', '元旦调休', 'work'],
  ])
})
