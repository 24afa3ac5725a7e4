import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { As } from '#kit/server/ground/world.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { addHolidays, deleteHolidays, editHoliday, listHolidays } from '../contract/holiday.ts'
import { workdaysOf } from './holiday.ts'

let t: GoldenWorld, me: As, owner = 0
beforeAll(async () => { t = await openGolden(); me = await t.owner; owner = (await t.store.reader('*').one<{ id: number }>(sql`select min(owner_id) as id from manager`))!.id })
afterAll(() => t?.close())
const fault = async (p: Promise<unknown>): Promise<string> => { const e = await p.then(() => undefined, x => x); expect(e).toBeInstanceOf(Refused); return (e as Refused).message }
const year = { holidayDateFrom: '2031-01-01', holidayDateTo: '2031-12-31' }

it('GEN-10, ATT-2 the calendar says which days are worked: Monday to Friday but for what is written down', async () => {
  await t.ask(addHolidays, { holidayDate: '2031-10-01', to: '2031-10-07', holidayName: '国庆节', dayType: 'rest' } as never, me)
  await t.ask(addHolidays, { holidayDate: '2031-10-11', holidayName: '国庆调休', dayType: 'work' } as never, me)
  await t.ask(addHolidays, { holidayDate: '2031-03-18', holidayName: '公司成立日', dayType: 'own' } as never, me)
  const works = await workdaysOf(t.store.reader(owner), owner)
  // 2031-10-08 is a Wednesday, 10-11 a Saturday that is worked, 10-12 a Sunday, 03-18 a Tuesday off.
  expect(['2031-09-30', '2031-10-01', '2031-10-07', '2031-10-08', '2031-10-11', '2031-10-12', '2031-03-18', '2031-03-19'].map(works)).toEqual([true, false, false, true, true, false, false, true])
})
it('a day is written down once; ranges are sane; bad input is told at its field', async () => {
  expect(await fault(t.ask(addHolidays, { holidayDate: '2031-09-30', to: '2031-10-02', holidayName: '又一个', dayType: 'rest' } as never, me))).toBe('2031-10-01 已登记为「国庆节」，请先编辑或删除那一条')
  expect(await fault(t.ask(addHolidays, { holidayDate: '2031-05-02', to: '2031-05-01', holidayName: '劳动节', dayType: 'rest' } as never, me))).toBe('止日不能早于日期')
  expect(await fault(t.ask(addHolidays, { holidayDate: '2031-05-01', to: '2031-06-30', holidayName: '劳动节', dayType: 'rest' } as never, me))).toContain('最多登记 31 天')
  expect((await t.ask(listHolidays, year as never, me)).total).toBe(9)
  const both = await Promise.allSettled([1, 2].map(() => t.ask(addHolidays, { holidayDate: '2031-05-01', holidayName: '劳动节', dayType: 'rest' } as never, me)))
  expect([both.filter(x => x.status === 'fulfilled').length, (await t.ask(listHolidays, year as never, me)).total]).toEqual([1, 10])
})
it('a day is changed and taken away', async () => {
  const [first] = (await t.ask(listHolidays, { ...year, dayType: ['own'] } as never, me)).rows
  const changed = await t.ask(editHoliday, { id: first!.id, version: first!.version, holidayDate: '2031-03-19', holidayName: '公司成立日', dayType: 'own' }, me)
  expect(changed.holidayDate).toBe('2031-03-19')
  await t.ask(deleteHolidays, { ids: [String(first!.id)], reason: '填写有误' }, me)
  expect((await workdaysOf(t.store.reader(owner), owner))('2031-03-19')).toBe(true)
})
