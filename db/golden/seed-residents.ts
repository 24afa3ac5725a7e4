import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDays, addMonths, firstOfMonth, type Day } from '#kit/domain/day.ts'
import { buildSearchText } from '#kit/domain/search-text.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { residentBlock } from '#modules/residents/contract/block.ts'
import { faceKey, identityCard } from '#modules/residents/contract/card.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { relation } from '#modules/residents/contract/relation.ts'
import { residency, residencyLog, type ResidencyLog } from '#modules/residents/contract/residency.ts'
import { resident } from '#modules/residents/contract/resident.ts'
import { analyzeTables } from './analyze.ts'
import type { Namer, Random } from './names.ts'
import { planOccupants, type Occupation, type Person } from './plan-occupants.ts'
import { seedDay } from './seed-day.ts'
import { code, codes } from '#kit/server/sql.ts'

/** The columns of a room that the seeds need. */
export interface Home {
  id: Id
  code: string
  projectCode: string
  buildCode: string
  path: string
  roomType: number
  roomState: number
  checkinDate?: Day
  deliverDate?: Day
  area: string
}

/** A person's stay in a room: the values of its row, and the person. */
interface ResidencyRow {
  readonly values: ReturnType<typeof residencyValues>
  readonly person: Person
}

const residencyValues = ({ home, person: _, status = 'living', ...occupation }: Occupation, userId: Id) => ({
  projectCode: home.projectCode,
  roomId: home.id,
  buildCode: home.buildCode,
  userId,
  isMain: false,
  isPayer: false,
  applySource: status === 'pending' ? ('self' as const) : ('import' as const),
  status,
  ...occupation,
})

async function insertPeople(tx: Tx, scope: Scope, people: readonly Person[]): Promise<readonly Id[]> {
  const boundSince = new Date(new Date(scope.time).getTime() - 90 * 86_400_000)
  const ids = await insertAll(tx, resident, scope, people)
  await tx.execute(
    sql`
      update resident t
      set search_text = x.search,
        run_wechat = case when t.wechat_bind then 'o' || left(md5(t.owner_id || '/' || t.id), 27) end,
        run_wechat_time = case when t.wechat_bind then ${boundSince}::timestamptz end
      from unnest(
        ${ids}::bigint[],
        ${people.map(p => buildSearchText([p.name], [p.mobile]))}::text[]
      ) as x(id, search)
      where t.owner_id = ${scope.ownerId} and t.id = x.id
    `,
  )
  return ids
}

/** The residencies, each with its log entries. */
async function insertResidencies(tx: Tx, scope: Scope, rows: readonly ResidencyRow[]): Promise<void> {
  const linkIds = await insertAll(
    tx,
    residency,
    scope,
    rows.map(row => row.values),
  )
  await insertAll(
    tx,
    residencyLog,
    scope,
    rows.flatMap(({ values, person }, i) => {
      const shared = {
        projectCode: values.projectCode,
        linkId: linkIds[i],
        userId: values.userId,
        userName: person.name,
        roomId: values.roomId,
        buildCode: values.buildCode,
        relation: values.relation,
        operatorName: scope.name,
      }
      const arrival: Pick<ResidencyLog, 'action' | 'day'> =
        values.status === 'pending'
          ? { action: 'applied', day: addDays(seedDay(scope), -2) }
          : { action: values.inDate ? 'movedIn' : 'added', day: values.inDate ?? '2024-06-01' }
      return [
        { ...shared, ...arrival },
        ...(values.outDate ? [{ ...shared, action: 'movedOut' as const, day: values.outDate }] : []),
      ]
    }),
  )
}

/** Writes the owner, the payer and the number of residents into the rooms. */
async function linkRooms(tx: Tx, scope: Scope, homes: readonly Home[]): Promise<void> {
  await tx.execute(sql`
    update room t
    set main_owner_id = m.user_id,
      main_owner_name = mp.name,
      payer_id = coalesce(y.user_id, m.user_id),
      payer_name = coalesce(yp.name, mp.name),
      payer_kind = case when y.relation in ${codes(relation, 'tenant', 'tenantFamily')} then 20 else 10 end,
      people = (
        select count(*)
        from user_room o
        where o.owner_id = ${scope.ownerId}
          and o.room_id = t.id
          and o.status = ${code(residencyStatus, 'living')}
          and o.in_date is not null
          and o.delete_tag = 0
      )
    from user_room m
    join resident mp on mp.owner_id = ${scope.ownerId} and mp.id = m.user_id
    left join user_room y on y.owner_id = ${scope.ownerId}
      and y.room_id = m.room_id
      and y.is_payer
      and y.status = ${code(residencyStatus, 'living')}
      and y.delete_tag = 0
    left join resident yp on yp.owner_id = ${scope.ownerId} and yp.id = y.user_id
    where m.owner_id = ${scope.ownerId}
      and t.owner_id = ${scope.ownerId}
      and m.room_id = t.id
      and m.is_main
      and m.status = ${code(residencyStatus, 'living')}
      and m.delete_tag = 0
      and t.id = any(${homes.map(h => h.id)})
  `)
}

/** Cards for a third of those who live here and have a mobile; faces for some of these. */
async function insertCards(tx: Tx, scope: Scope, rows: readonly ResidencyRow[]): Promise<void> {
  const cardHolders = rows
    .filter(
      ({ values, person }, i) => values.status === 'living' && values.inDate && person.mobile && i % 3 === 0,
    )
    .map(row => row.values)
  await insertAll(
    tx,
    identityCard,
    scope,
    cardHolders.map((holder, k) => ({
      projectCode: holder.projectCode,
      cardNo: String(10_000_000 + holder.roomId * 10 + (k % 10)),
      cardType: k % 5 ? 'ic' : 'cpu',
      userId: holder.userId,
      roomId: holder.roomId,
      buildCode: holder.buildCode,
      beginDate: holder.inDate,
      state: k % 37 === 5 ? 'lost' : 'normal',
    })),
  )
  await insertAll(
    tx,
    faceKey,
    scope,
    cardHolders
      .filter((_, k) => k % 4 === 0)
      .slice(0, 40)
      .map((holder, k) => ({
        projectCode: holder.projectCode,
        userId: holder.userId,
        face: '0'.repeat(40),
        state: k % 9 === 3 ? 'waiting' : 'good',
        quality: 80 + (k % 20),
      })),
  )
}

/** Blocks one person who moved out from visiting. */
async function insertBlock(tx: Tx, scope: Scope, rows: readonly ResidencyRow[]): Promise<void> {
  const { values, person } = defined(
    rows.find(row => row.values.status === 'left' && row.person.mobile) ?? rows[0],
  )
  await insertAll(tx, residentBlock, scope, [
    {
      projectCode: values.projectCode,
      userId: values.userId,
      name: person.name,
      scope: ['visit', 'access'],
      reason: '多次高空抛物，经劝阻不改',
      expireDate: addDays(firstOfMonth(addMonths(seedDay(scope), 8)), -1),
    },
  ])
}

/** Residents of an estate with their homes and history, some cards, faces and a block. */
export async function seedResidents(
  tx: Tx,
  scope: Scope,
  homes: readonly Home[],
  random: Random,
  namer: Namer,
): Promise<void> {
  const { people, occupations } = planOccupants(
    homes.filter(({ roomType }) => [1, 2, 6].includes(roomType)),
    random,
    namer,
    seedDay(scope),
  )
  if (!people.length) return
  const ids = await insertPeople(tx, scope, people)
  const rows = occupations.map((occupation): ResidencyRow => ({
    values: residencyValues(occupation, defined(ids[occupation.person])),
    person: defined(people[occupation.person]),
  }))
  await insertResidencies(tx, scope, rows)
  await analyzeTables(tx, 'room', 'resident', 'user_room')
  await linkRooms(tx, scope, homes)
  await insertCards(tx, scope, rows)
  await insertBlock(tx, scope, rows)
}
