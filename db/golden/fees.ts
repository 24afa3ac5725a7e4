import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { addDays, asDay, dayOf, lastOfMonth, partsOf, type Day } from '#kit/domain/day.ts'
import type { Scope } from '#kit/server/scope.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { insertAll } from '#kit/server/table.ts'
import '#modules/fees/server/built-in-formulas.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { feeFormula } from '#modules/fees/contract/formula.ts'
import { feeItem } from '#modules/fees/contract/item.ts'
import { feePackage } from '#modules/fees/contract/relation.ts'
import { feeStandard, standardVersion } from '#modules/fees/contract/standard.ts'
import { listVariables } from '#modules/fees/domain/definition-rules.ts'
import { roomType } from '#modules/rooms/contract/labels.ts'
import { formulas, items, plans } from './fee-plans.ts'
import { code } from '#kit/server/sql.ts'
import { rentState } from '#modules/estates/contract/public-area.ts'

/** What a company charges, and its own formulas beside the built-in ones. */
export async function seedFees(tx: Tx, scope: Scope): Promise<void> {
  await insertAll(tx, feeItem, scope, items)
  await insertAll(
    tx,
    feeFormula,
    scope,
    formulas.map(f => ({
      ...f,
      formulaType: 'custom',
      variables: listVariables({ ...f, formulaType: 'custom' }),
      isSystem: false,
      state: 'on',
    })),
  )
}

const idsByName = async (
  tx: Tx,
  ownerId: Id,
  table: string,
  nameColumn: string,
): Promise<ReadonlyMap<string, Id>> =>
  new Map(
    (
      await tx.rows<{ id: Id; name: string }>(
        sql`
          select id, ${sql.id(nameColumn)} as name
          from ${sql.table(table)}
          where owner_id = ${ownerId}
        `,
      )
    ).map(r => [r.name, r.id]),
  )

const standardDefaults = {
  cycleType: 'natural',
  cycleMonths: 1,
  alignYear: true,
  chargeMode: 'ahead',
  startRule: 'fixedDate',
  prorateMode: 'actual',
  advanceDays: 0,
  delayDays: 0,
  dueBase: 'begin',
  dueDays: 30,
  dueSkipHoliday: false,
  roundType: 'halfUp',
  roundUnit: 'fen',
  tiersStretch: true,
  state: 'on',
} as const

/** A project's price list. */
export async function seedStandards(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  kind: keyof typeof plans,
): Promise<void> {
  const itemIdByCode = await idsByName(tx, scope.ownerId, 'fee_item', 'code')
  const formulaIdByName = await idsByName(tx, scope.ownerId, 'fee_formula', 'name')
  const list = plans[kind]
  const ids = await insertAll(
    tx,
    feeStandard,
    scope,
    list.map(p => ({
      ...standardDefaults,
      ...p.overrides,
      projectCode,
      code: p.code,
      name: p.name,
      feeItemId: itemIdByCode.get(p.item),
      formulaId: formulaIdByName.get(p.formula),
    })),
  )
  await insertAll(
    tx,
    standardVersion,
    scope,
    list.flatMap((p, i) => p.prices.map(v => ({ extraProrate: false, ...v, standardId: ids[i] }))),
  )
  const idsOf = (...codes: string[]): string[] =>
    codes.flatMap(c => {
      const i = list.findIndex(p => p.code === c)
      return i < 0 ? [] : [String(ids[i])]
    })
  await insertAll(tx, feePackage, scope, [
    {
      projectCode,
      name: kind === 'housing' ? '住宅常规收费' : '商户常规收费',
      standardIds: idsOf('WY01', 'LJ01', 'DT01'),
      remark: '新交付的房间一次绑齐',
    },
  ])
}

/** The ends of the year's months up to a day, from the end of the year before. */
function monthEndsUntil(billedTo: string): { month: number; monthEnds: readonly Day[] } {
  const [year, month] = partsOf(asDay(billedTo))
  const monthEnds = [addDays(dayOf(year, 1, 1), -1)]
  for (let m = 1; m <= month; m++) {
    monthEnds.push(lastOfMonth(dayOf(year, m, 1)))
  }
  return { month, monthEnds }
}

type RoomType = keyof typeof roomType.rows
const homes: readonly RoomType[] = ['home']
const trades: readonly RoomType[] = ['shop', 'office']

/** Rooms, places and let public areas, each with the code of a standard (`s`) it is charged by. */
function assigneesOf(ownerId: Id, projectCode: string, only?: { readonly buildings: readonly string[] }) {
  const rooms = (types: readonly RoomType[]): number[] => types.map(t => Number(codeOf(roomType, t)))
  const buildingFilter = only ? sql`and build_code = any(${[...only.buildings]})` : sql``
  return sql`
    select ${codeOf(sourceType, 'room')}::smallint as type, code, path as name, build_code,
      coalesce(deliver_date, '2022-01-01') as since, standard
    from room
    cross join lateral unnest(
      case
      when room_type = any(${rooms(homes)}::int[]) then array['WY01', 'LJ01', 'DT01']
      when room_type = any(${rooms(trades)}::int[]) then array[
        case when exists (select 1 from s where code = 'WY02') then 'WY02' else 'WY01' end, 'LJ01'
      ]
      else '{}'
      end
    ) as standard
    where owner_id = ${ownerId} and project_code = ${projectCode} and delete_tag = 0 ${buildingFilter}
    union all
    select ${codeOf(sourceType, 'parkPlace')}::smallint, code, place_no, null,
      coalesce(begin_date, '2022-01-01'), 'CW01'
    from park_place
    where owner_id = ${ownerId}
      and project_code = ${projectCode}
      and delete_tag = 0 ${only ? sql`and false` : sql``}
    union all
    select ${codeOf(sourceType, 'publicArea')}::smallint, code, name, build_code, '2022-01-01', 'CD01'
    from public_area
    where owner_id = ${ownerId}
      and project_code = ${projectCode}
      and delete_tag = 0
      and rent_state = ${code(rentState, 'let')} ${only ? sql`and false` : sql``}
  `
}

/**
 * Every room, place and let public area by its standards, billed to the last whole cycle up to a month's last
 * day: one statement a project.
 */
export async function seedRelations(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  billedTo: string,
  only?: { readonly buildings: readonly string[] },
): Promise<void> {
  const { month, monthEnds } = monthEndsUntil(billedTo)
  await tx.execute(sql`
    with s as (
      select id, code, fee_item_id, cycle_months as k
      from fee_standard
      where owner_id = ${scope.ownerId} and project_code = ${projectCode} and delete_tag = 0
    ),
      assignees as (
        ${assigneesOf(scope.ownerId, projectCode, only)}
      )
    insert into fee_relation (
      owner_id, create_by, update_by, project_code, source_type, source_code, source_name, build_code,
      fee_item_id, standard_id, begin_date, billed_to, run_floor, multi, state
    )
    select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint, ${projectCode},
      w.type, w.code, w.name, w.build_code, w.fee_item_id, w.standard_id, w.since,
      w.billed, w.billed, false, 10
    from (
      select w.*, s.fee_item_id, s.id as standard_id,
        greatest(
          (${monthEnds}::date[])[${month}::int / s.k * s.k + 1],
          w.since - 1
        ) as billed
      from assignees w
      join s on s.code = w.standard
    ) w
    returning id
  `)
}
