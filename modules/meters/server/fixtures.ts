import { faultsOf, refusalOf } from '#kit/server/fixtures/refusal.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import type { CallOptions, TestApp } from '#kit/server/fixtures/test-app.ts'
import { sql } from '#kit/server/db.ts'
import { unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import { addMeter } from '../contract/meter-calls.ts'
import type { Meter, MeterReading } from '../contract/meter.ts'
import { addReading, listReadings } from '../contract/reading.ts'

/** The fault's text at its field. */
export const expectFaults = async (p: Promise<unknown>): Promise<Record<string, string>> => {
  const r = await refusalOf(p)
  return Array.isArray(r.data)
    ? Object.fromEntries(faultsOf(r).map(f => [f.Field, f.Message]))
    : { '': r.message }
}

/** What tests of this module do all the time. */
export function createMeterFixtures(t: TestApp, me: CallOptions) {
  let n = 0
  const meter = (overrides: object = {}): Promise<Meter> =>
    t.call(
      addMeter,
      {
        projectCode: 'GOLD0001',
        meterNo: `T${String(++n).padStart(5, '0')}`,
        meterKind: 'cold',
        meterUse: 'common',
        multiple: '1',
        decimals: 2,
        isSmart: false,
        prepayMode: 'after',
        state: 'active',
        ...overrides,
      },
      me,
    )
  const read = (
    m: Meter | Id,
    readDate: Day,
    curNum: string | undefined,
    overrides: object = {},
  ): Promise<MeterReading> =>
    t.call(
      addReading,
      {
        meterId: typeof m === 'number' ? m : m.id,
        readDate,
        ...(curNum === undefined ? {} : { curNum }),
        ...overrides,
      },
      me,
    )
  const all = async (m: Meter | Id): Promise<readonly MeterReading[]> =>
    (
      await t.call(
        listReadings,
        { meterId: typeof m === 'number' ? m : m.id, order: 'readDate', size: 100 },
        me,
      )
    ).rows
  const home = async (i: number): Promise<{ id: Id; code: string; path: string; ownerId: Id }> =>
    defined(
      (
        await t.database.reader('*').rows<{ id: Id; code: string; path: string; ownerId: Id }>(
          sql`
            select r.id, r.code, r.path, r.owner_id
            from room r
            join property p on p.owner_id = r.owner_id
            where r.project_code = 'GOLD0001' and p.company_name = '金一物业' and r.build_code = 'B1'
            order by r.sort_key
            offset ${i}
            limit 1
          `,
        )
      )[0],
    )
  const scope = async (): Promise<Scope> => ({
    ownerId: (await home(0)).ownerId,
    operatorId: asId(1),
    name: '测试',
    isOwner: true,
    permissions: new Set(),
    domain: unrestrictedDomain,
    canSeePersonalData: true,
    projectCode: 'GOLD0001',
    ip: '',
    requestId: 't',
    time: '2026-11-21T01:00:00.000Z',
  })
  return { meter, read, all, home, scope }
}
