import type { Id } from '#kit/domain/id.ts'
import { canNamePlaces } from '#kit/domain/address.ts'
import { defined } from '#kit/domain/defined.ts'
import { randomUUID } from 'node:crypto'
import { refuse } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes, type Handler } from '#kit/server/handler.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { renameRoomCompany, roomIdsByKeyword } from '#modules/rooms/server/public.ts'
import {
  companies,
  company,
  getCompanyQr,
  pickCompanies,
  renewCompanyQr,
  type Company,
} from '../contract/company.ts'
import { workerState } from '../contract/company-worker.ts'
import { exportCompanies } from '../contract/import-export.ts'
import { companyImport } from './company-import.ts'
import { assignRooms } from './company-room.ts'
import { paths } from '../module.ts'

interface CompanyExtrasRow {
  companyId: Id
  rooms: string[]
  area?: string
  workers: number
}

/** What is beside companies in lists: the rooms they have now, their area, how many work there. */
async function addRoomsAndWorkers(
  list: readonly Company[],
  { db, scope, today }: CrudContext,
): Promise<readonly Company[]> {
  if (!list.length) return list
  const ids = list.map(c => c.id)
  const beside = new Map(
    (
      await db.rows<CompanyExtrasRow>(sql`
        select c.id as company_id, coalesce(r.rooms, '{}') as rooms, trim_scale(r.area)::text as area,
          coalesce(w.n, 0)::int as workers
        from unnest(${ids}::bigint[]) as c(id)
        left join (
          select x.company_id, array_agg(r.path order by r.sort_key) as rooms,
            sum(coalesce(x.area, r.build_area)) as area
          from company_room x
          join room r on r.owner_id = ${scope.ownerId} and r.id = x.room_id
          where x.owner_id = ${scope.ownerId}
            and x.company_id = any(${ids})
            and ${notDeleted('x')}
            and x.begin_date <= ${today}
            and (x.end_date is null or x.end_date >= ${today})
          group by 1
        ) r on r.company_id = c.id
        left join (
          select company_id, count(*) as n
          from company_worker
          where owner_id = ${scope.ownerId} and company_id = any(${ids}) and ${notDeleted()} and state = ${code(workerState, 'active')}
          group by 1
        ) w on w.company_id = c.id
      `)
    ).map(b => [b.companyId, b]),
  )
  return list.map(c => {
    const b = beside.get(c.id)
    return { ...c, rooms: b?.rooms ?? [], workers: b?.workers ?? 0, ...(b?.area ? { area: b.area } : {}) }
  })
}

export const presentCompany = async (row: Company, c: CrudContext): Promise<Company> =>
  defined((await addRoomsAndWorkers([row], c))[0])

/** A keyword may also name rooms that the company has or had. */
const matchesKeyword = (word: string, { scope: { ownerId } }: CrudContext) =>
  canNamePlaces(word)
    ? sql<boolean>`(
      ${matchesSearchText(word)}
      or t.id in (
        select c.company_id
        from company_room c
        where c.owner_id = ${ownerId} and ${notDeleted('c')} and c.room_id in (${roomIdsByKeyword(ownerId, word)})
      )
    )`
    : matchesSearchText(word)

const upperCreditCode = (d: Partial<Company>): object => ({ creditCode: d.creditCode?.toUpperCase() })

export const companyServer = crudHandlers(companies, {
  codes: { companyNo: 'GS' },
  searchText: { names: ['name', 'contactName'], codes: ['companyNo', 'contactPhone'] },
  pictures: ['license'],
  unique: {
    company_no_live: '该项目已有此企业编号',
    company_name_live: '该项目已有同名企业',
    company_room_once: '房间在该段时间已属于另一家企业，请调整起止日期',
  },
  keyword: matchesKeyword,
  filter: ({ roomId }, { scope: { ownerId } }) =>
    roomId === undefined
      ? []
      : [
          sql`t.id in (
            select c.company_id
            from company_room c
            where c.owner_id = ${ownerId} and c.room_id = ${roomId} and ${notDeleted('c')}
          )`,
        ],
  enrich: addRoomsAndWorkers,
  beforeInsert: upperCreditCode,
  beforeUpdate: upperCreditCode,
  afterInsert: (row, { tx, scope, today }, { places = [] }) => assignRooms(tx, scope, row, places, today),
  afterUpdate: async (after, { tx, scope }, before) => {
    if (before.name !== after.name) {
      await renameRoomCompany(tx, scope.ownerId, after.id, after.name)
    }
  },
  import: companyImport,
  export: exportCompanies,
  pickers: [pickCompanies],
})

const joinAddress = (invitation: string): { url: string; code: string } => ({
  url: `${paths.join}?code=${invitation}`,
  code: invitation,
})

export const companyQrHandlers: readonly Handler[] = [
  reads(getCompanyQr, async ({ id }, { db, scope }) => {
    const companyRow = await requireById(db, company, scope, id)
    const known = await db.one<{ code?: string }>(
      sql`select search_code as code from company where owner_id = ${scope.ownerId} and id = ${id}`,
    )
    return known?.code ? joinAddress(known.code) : refuse(`「${companyRow.name}」已迁出，没有邀请码`)
  }),
  writes(renewCompanyQr, async ({ id }, { tx, scope }) => {
    const companyRow = await requireById(tx, company, scope, id, { lock: true })
    if (companyRow.state === 'movedOut') return refuse(`「${companyRow.name}」已迁出，没有邀请码`)
    return joinAddress(
      defined(
        await tx.one<{ code: string }>(
          sql`
          update company
          set search_code = ${randomUUID().replaceAll('-', '')}
          where owner_id = ${scope.ownerId} and id = ${id}
          returning search_code as code
        `,
        ),
      ).code,
    )
  }),
]
