import { refuse, invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { buildSearchText } from '#kit/domain/search-text.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { assertDeletable } from '#kit/server/dependents.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import { checkPicture } from '#kit/server/picture.ts'
import { restoreMasked, maskRows } from '#kit/server/privacy.ts'
import type { Scope } from '#kit/server/scope.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { findByIds, insert, requireById, findPage, remove, update, withAllFields } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { live } from '#kit/server/sql.ts'
import { roomIdsByKeyword } from '#modules/rooms/server/public.ts'
import {
  addCompany,
  company,
  companyFilters,
  deleteCompanies,
  editCompany,
  listCompanies,
  getCompany,
  getCompanyQr,
  renewCompanyQr,
  type Company,
} from '../contract/company.ts'
import { assignRooms } from './company-room.ts'

uniqueMessages({
  company_no_live: '该项目已有此公司编号',
  company_name_live: '该项目已有同名企业',
  company_room_once: '房间在这段时间已属于另一家企业，请调整起止日期',
})

export const companySearchText = (
  c: Pick<Company, 'name' | 'companyNo' | 'contactName' | 'contactPhone'>,
): string => buildSearchText([c.name, c.contactName], [c.companyNo?.toLowerCase(), c.contactPhone])

const saveCompanySearchText = (tx: Tx, owner: number, c: Company): Promise<number> =>
  tx.execute(
    sql`update company set search_text = ${companySearchText(c)} where owner_id = ${owner} and id = ${c.id}`,
  )

export type CompanyListQuery = NonNullable<typeof listCompanies.input.T>

/**
 * What a search says beyond the plain filters: the keyword as name, pinyin, telephone or room. The same for
 * list and export (EXP-1).
 */
export const companyListFilters = (owner: number, q: CompanyListQuery) => [
  ...(q.roomId === undefined
    ? []
    : [
        sql`t.id in (
          select c.company_id
          from company_room c
          where c.owner_id = ${owner} and c.room_id = ${q.roomId} and ${live('c')}
        )`,
      ]),
  ...(q.ids ? [sql`t.id = any(${q.ids.map(Number).filter(Number.isSafeInteger)})`] : []),
  ...(q.keyword
    ? [
        /\d/.test(q.keyword)
          ? sql`(
            ${matchesSearchText(q.keyword)}
            or t.id in (
              select c.company_id
              from company_room c
              where c.owner_id = ${owner}
                and ${live('c')}
                and c.room_id in (${roomIdsByKeyword(owner, q.keyword)})
            )
          )`
          : matchesSearchText(q.keyword),
      ]
    : []),
]

export const plainFilters = ({ keyword: _, roomId: __, ids: ___, ...q }: CompanyListQuery) => q

interface CompanyExtrasRow {
  companyId: number
  rooms: string[]
  area?: string
  workers: number
}

/** What stands beside companies in lists: the rooms they have now, their area, how many work there. */
export async function presentCompanies(
  db: Db,
  scope: Scope,
  list: readonly Company[],
  today: string,
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
          join room r on r.owner_id = x.owner_id and r.id = x.room_id
          where x.owner_id = ${scope.ownerId}
            and x.company_id = any(${ids})
            and ${live('x')}
            and x.begin_date <= ${today}
            and (x.end_date is null or x.end_date >= ${today})
          group by 1
        ) r on r.company_id = c.id
        left join (
          select company_id, count(*) as n
          from company_worker
          where owner_id = ${scope.ownerId} and company_id = any(${ids}) and ${live()} and state = 10
          group by 1
        ) w on w.company_id = c.id
      `)
    ).map(b => [b.companyId, b]),
  )
  return maskRows(
    company.fields,
    list.map(c => {
      const b = beside.get(c.id)
      return { ...c, rooms: b?.rooms ?? [], workers: b?.workers ?? 0, ...(b?.area ? { area: b.area } : {}) }
    }),
    scope,
  )
}

export const presentCompany = async (db: Db, scope: Scope, c: Company, today: string): Promise<Company> =>
  (await presentCompanies(db, scope, [c], today))[0]!

async function assertCompanyValid(
  d: Partial<Company>,
  scope: Scope,
  app: App,
  before?: Company,
): Promise<void> {
  const faults: FieldFault[] =
    d.license === before?.license
      ? []
      : await checkPicture(app.files, scope.ownerId, d.license, 'LicenseUrl', '营业执照')
  if (d.contactPhone?.includes('**')) {
    faults.push({ Field: 'ContactPhone', Message: '联系电话含有星号，请填写完整的号码' })
  }
  if (faults.length) throw invalidInput(faults)
}

const joinAddress = (code: string): { url: string; code: string } => ({ url: `/join?code=${code}`, code })

export const companyHandlers = [
  reads(listCompanies, async (q, { db, scope, today }) => {
    const found = await findPage(db, company, scope, plainFilters(q), {
      filters: companyFilters,
      where: companyListFilters(scope.ownerId, q),
    })
    return { ...found, rows: await presentCompanies(db, scope, found.rows, today) }
  }),
  reads(getCompany, async ({ id }, { db, scope, today }) =>
    presentCompany(db, scope, await requireById(db, company, scope, id), today),
  ),
  writes(addCompany, async ({ id: _, version: __, places = [], ...d }, { tx, scope, app, today }) => {
    await assertCompanyValid(d, scope, app)
    const made = await insert(tx, company, scope, {
      ...d,
      companyNo: d.companyNo ?? (await tx.one<{ code: string }>(sql`select next_code('GS') as code`))!.code,
      creditCode: d.creditCode?.toUpperCase(),
      state: 'here',
    })
    await saveCompanySearchText(tx, scope.ownerId, made)
    await assignRooms(tx, scope, made, places, today)
    return presentCompany(tx, scope, made, today)
  }),
  writes(editCompany, async ({ id, version, ...said }, { tx, scope, app, today }) => {
    if (!id) return refuse('缺少要修改的企业')
    const before = await requireById(tx, company, scope, id, true)
    const d = restoreMasked(company.fields, said, before, scope)
    await assertCompanyValid(d, scope, app, before)
    const after = await update(
      tx,
      company,
      scope,
      id,
      {
        ...withAllFields(editCompany.input, d),
        projectCode: before.projectCode,
        companyNo: before.companyNo,
        creditCode: d.creditCode?.toUpperCase(),
      },
      { version },
    )
    await saveCompanySearchText(tx, scope.ownerId, after)
    if (before.name !== after.name) {
      await tx.execute(
        sql`
          update room
          set company_name = ${after.name}
          where owner_id = ${scope.ownerId} and company_id = ${id}
        `,
      )
    }
    return presentCompany(tx, scope, after, today)
  }),
  writes(deleteCompanies, async ({ ids, reason }, { tx, scope }) => {
    for (const c of await findByIds(tx, company, scope, ids, true)) {
      await assertDeletable(tx, scope, 'company', `企业「${c.name}」`, [c])
    }
    await remove(tx, company, scope, ids, reason)
  }),
  reads(getCompanyQr, async ({ id }, { db, scope }) => {
    const c = await requireById(db, company, scope, id)
    const known = await db.one<{ code?: string }>(
      sql`select search_code as code from company where owner_id = ${scope.ownerId} and id = ${id}`,
    )
    return known?.code ? joinAddress(known.code) : refuse(`「${c.name}」已迁出，没有邀请码`)
  }),
  writes(renewCompanyQr, async ({ id }, { tx, scope }) => {
    const c = await requireById(tx, company, scope, id, true)
    if (c.state === 'gone') return refuse(`「${c.name}」已迁出，没有邀请码`)
    return joinAddress(
      (await tx.one<{ code: string }>(
        sql`
          update company
          set search_code = replace(gen_random_uuid()::text, '-', '')
          where owner_id = ${scope.ownerId} and id = ${id}
          returning search_code as code
        `,
      ))!.code,
    )
  }),
]
