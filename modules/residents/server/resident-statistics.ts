import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { gender, residencyStatus, faceState } from '../contract/labels.ts'
import { relation } from '../contract/relation.ts'
import { getResidentStatistics } from '../contract/maintenance.ts'
import { ageBands } from '../domain/person.ts'
import { residencyDomainFilter } from './resident-access.ts'

type Sql = RawBuilder<unknown>
type StatisticsInput = NonNullable<typeof getResidentStatistics.input.T>

interface PeopleFigures {
  readonly people: number
  readonly wechat: number
  readonly app: number
  readonly withMobile: number
  readonly withFace: number
  readonly blocked: number
}

/** Where the figures are counted: the company and the conditions on homes `l`. */
interface Selection {
  readonly ownerId: Id
  readonly homes: Sql
  readonly living: Sql
}

function selectionOf({ ownerId, domain }: Scope, { projectCode, buildCode }: StatisticsInput): Selection {
  const conditions = [
    notDeleted('l'),
    ...(projectCode ? [sql`l.project_code = ${projectCode}`] : []),
    ...(buildCode ? [sql`l.build_code = ${buildCode}`] : []),
    ...residencyDomainFilter(domain, 'l'),
  ]
  return {
    ownerId,
    homes: sql.join(conditions, sql` and `),
    living: code(residencyStatus, 'living'),
  }
}

const peopleFigures = sqlFile(import.meta.dirname, 'resident-statistics.sql', [
  'ownerId',
  'homes',
  'living',
  'validFace',
  'today',
  'inProject',
])

/** Current residencies, of those too who have not moved in: an owner is one before moving in. */
const currentIn = ({ ownerId, homes, living }: Selection): Sql =>
  sql`l.owner_id = ${ownerId} and ${homes} and l.status = ${living}`

const livingIn = (selection: Selection): Sql => sql`${currentIn(selection)} and l.in_date is not null`

/** The people who live there, as `p`. */
const livingPeople = (selection: Selection): Sql => sql`
  select r.gender, r.birthday
  from resident r
  where r.owner_id = ${selection.ownerId}
    and ${notDeleted('r')}
    and r.id in (select l.user_id from user_room l where ${livingIn(selection)})
`

const countByGender = (selection: Selection) => sql<{ gender: number; count: number }>`
  select coalesce(p.gender, 0) as gender, count(*)::int as count
  from (${livingPeople(selection)}) p
  group by 1
  order by 1
`

const unknownBand = -1

const countByAge = (selection: Selection, today: Day) => {
  const years = sql`extract(year from age(${today}::date, p.birthday))::int`
  const cases = ageBands.map(
    ([, from, to], band) => sql`when ${years} between ${from} and ${to} then ${band}::int`,
  )
  return sql<{ band: number; count: number }>`
    select case ${sql.join(cases, sql` `)} else ${unknownBand}::int end as band, count(*)::int as count
    from (${livingPeople(selection)}) p
    group by 1
  `
}

const countByRelation = (selection: Selection) => sql<{ relation: number; count: number }>`
  select l.relation, count(distinct l.user_id)::int as count
  from user_room l
  where ${currentIn(selection)}
  group by 1
  order by 1
`

/** The last size is five and more. */
const countByHouseholdSize = (selection: Selection) => sql<{ size: number; rooms: number }>`
  select least(n, 5)::int as size, count(*)::int as rooms
  from (
    select l.room_id, count(*) as n
    from user_room l
    where ${livingIn(selection)}
    group by l.room_id
  ) x
  group by 1
  order by 1
`

const countRooms = ({ ownerId, homes, living }: Selection) => sql<{ pending: number; rooms: number }>`
  select (count(distinct l.user_id) filter (where l.status = ${code(residencyStatus, 'pending')}))::int as pending,
    (count(distinct l.room_id) filter (where l.status = ${living} and l.in_date is not null))::int as rooms
  from user_room l
  where l.owner_id = ${ownerId} and ${homes}
`

const getResidentStatisticsHandler = reads(getResidentStatistics, async (input, { db, scope, today }) => {
  const { projectCode } = input
  const selection = selectionOf(scope, input)
  const [[people], genders, ages, relations, bySize, [rooms]] = await db.all(
    peopleFigures<PeopleFigures>({
      ...selection,
      validFace: code(faceState, 'good'),
      today,
      inProject: projectCode ? sql`b.project_code = ${projectCode}` : sql`true`,
    }),
    countByGender(selection),
    countByAge(selection, today),
    countByRelation(selection),
    countByHouseholdSize(selection),
    countRooms(selection),
  )
  const byRelation = relations.map(row => ({
    relation: defined(keyOf(relation, row.relation)),
    count: row.count,
  }))
  const countOf = (key: keyof typeof relation.rows): number =>
    byRelation.find(row => row.relation === key)?.count ?? 0
  const countByBand = new Map(ages.map(row => [row.band, row.count]))
  return {
    ...defined(people),
    ...defined(rooms),
    owners: countOf('owner'),
    tenants: countOf('tenant'),
    byGender: genders.map(row => ({ gender: defined(keyOf(gender, row.gender)), count: row.count })),
    byRelation,
    byAge: [
      ...ageBands.map(([label], band) => ({ label, count: countByBand.get(band) ?? 0 })),
      { label: '未填写', count: countByBand.get(unknownBand) ?? 0 },
    ],
    bySize,
  }
})

export const statisticsHandlers = [getResidentStatisticsHandler]
