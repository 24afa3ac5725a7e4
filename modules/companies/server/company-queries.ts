import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { companyState } from '../contract/company.ts'

export interface CompanySpan {
  readonly companyId: Id
  readonly begin: Day
  readonly end?: Day | undefined
}

/** Which companies have rooms, past and coming, by room id, earliest first. Needs company_room_once. */
export async function findCompaniesInRooms(
  db: Db,
  ownerId: Id,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, CompanySpan[]>> {
  if (!ids.length) return new Map()
  const rows = await db.rows<CompanySpan & { roomId: Id }>(sql`
    select c.room_id, c.company_id, c.begin_date as begin, c.end_date as end
    from unnest(${[...ids]}::bigint[]) as w(id)
    join company_room c on c.owner_id = ${ownerId} and c.room_id = w.id and ${notDeleted('c')}
    order by c.begin_date
  `)
  return Map.groupBy(rows, r => r.roomId)
}

export interface ChargedCompany {
  readonly id: Id
  readonly code: string
  readonly name: string
  readonly enabled: boolean
  readonly inDate?: Day | undefined
  readonly area: string
}

/** Companies of a project by number (`GS000001`) with the rooms they have on a day. */
export async function findChargedCompanies(
  db: Db,
  ownerId: Id,
  project: string,
  numbers: readonly string[],
  on: Day,
): Promise<ReadonlyMap<string, ChargedCompany>> {
  if (!numbers.length) return new Map()
  const rows = await db.rows<ChargedCompany>(sql`
      select o.id,
        o.company_no as code,
        o.name,
        o.state <> ${code(companyState, 'movedOut')} as enabled,
        o.in_date,
        (
          select trim_scale(coalesce(sum(c.area), 0))::text
          from company_room c
          where c.owner_id = o.owner_id
            and c.company_id = o.id
            and ${notDeleted('c')}
            and c.begin_date <= ${on}
            and (c.end_date is null or c.end_date >= ${on})
        ) as area
      from company o
      where o.owner_id = ${ownerId}
        and o.project_code = ${project}
        and o.company_no = any(${[...numbers]})
        and ${notDeleted('o')}
    `)
  return new Map(rows.map(r => [r.code, r]))
}

/** Names and phones of companies, for messages to them. */
export const findCompanyContacts = (
  db: Db,
  ownerId: Id,
  ids: readonly Id[],
): Promise<{ id: Id; name: string; mobile?: string }[]> =>
  ids.length
    ? db.rows(
        sql`
          select id, name, contact_phone as mobile
          from company
          where owner_id = ${ownerId} and id = any(${[...ids]})
        `,
      )
    : Promise.resolve([])
