import { refuse, wrong, type FieldFault } from '#kit/contract/wire.ts'
import { searchTextOf } from '#kit/domain/spell.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { mayGo } from '#kit/server/guard.ts'
import { reads, uniqueSays, writes } from '#kit/server/handle.ts'
import { pictureFault } from '#kit/server/picture.ts'
import { unveiled, veiled } from '#kit/server/privacy.ts'
import type { Scope } from '#kit/server/scope.ts'
import { soughtBy } from '#kit/server/sought.ts'
import { byIds, insert, need, page, remove, update, whole } from '#kit/server/table.ts'
import type { World } from '#kit/server/world.ts'
import { roomsCalled } from '#modules/rooms/server/public.ts'
import {
  addCompany,
  company,
  companyFilters,
  deleteCompanies,
  editCompany,
  listCompanies,
  oneCompany,
  qrUrl,
  renewQr,
  type Company,
} from '../contract/company.ts'
import { takeRooms } from './room.ts'

uniqueSays({
  company_no_live: '该项目已有此公司编号',
  company_name_live: '该项目已有同名企业',
  company_room_once: '房间在这段时间已属于另一家企业，请调整起止日期',
})

export const searchOf = (c: Pick<Company, 'name' | 'companyNo' | 'contactName' | 'contactPhone'>): string =>
  searchTextOf([c.name, c.contactName], [c.companyNo?.toLowerCase(), c.contactPhone])

const keepSearch = (tx: Tx, owner: number, c: Company): Promise<number> =>
  tx.run(sql`update company set search_text = ${searchOf(c)} where owner_id = ${owner} and id = ${c.id}`)

export type Ask = NonNullable<typeof listCompanies.input.T>

/**
 * What a search says beyond the plain filters: the keyword as name, pinyin, telephone or room. The same for
 * list and export (EXP-1).
 */
export const companyWhere = (owner: number, q: Ask) => [
  ...(q.roomId === undefined
    ? []
    : [
        sql`t.id in (
          select c.company_id
          from company_room c
          where c.owner_id = ${owner} and c.room_id = ${q.roomId} and c.delete_tag = 0
        )`,
      ]),
  ...(q.ids ? [sql`t.id = any(${q.ids.map(Number).filter(Number.isSafeInteger)})`] : []),
  ...(q.keyword
    ? [
        /\d/.test(q.keyword)
          ? sql`(
            ${soughtBy(q.keyword)}
            or t.id in (
              select c.company_id
              from company_room c
              where c.owner_id = ${owner}
                and c.delete_tag = 0
                and c.room_id in (${roomsCalled(owner, q.keyword)})
            )
          )`
          : soughtBy(q.keyword),
      ]
    : []),
]

export const plain = ({ keyword: _, roomId: __, ids: ___, ...q }: Ask) => q

interface Beside {
  companyId: number
  rooms: string[]
  area?: string
  workers: number
}

/** What stands beside companies in lists: the rooms they have now, their area, how many work there. */
export async function dressed(
  db: Db,
  scope: Scope,
  list: readonly Company[],
  today: string,
): Promise<readonly Company[]> {
  if (!list.length) return list
  const ids = list.map(c => c.id)
  const beside = new Map(
    (
      await db.rows<Beside>(sql`
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
            and x.delete_tag = 0
            and x.begin_date <= ${today}
            and (x.end_date is null or x.end_date >= ${today})
          group by 1
        ) r on r.company_id = c.id
        left join (
          select company_id, count(*) as n
          from company_worker
          where owner_id = ${scope.ownerId} and company_id = any(${ids}) and delete_tag = 0 and state = 10
          group by 1
        ) w on w.company_id = c.id
      `)
    ).map(b => [b.companyId, b]),
  )
  return veiled(
    company.fields,
    list.map(c => {
      const b = beside.get(c.id)
      return { ...c, rooms: b?.rooms ?? [], workers: b?.workers ?? 0, ...(b?.area ? { area: b.area } : {}) }
    }),
    scope,
  )
}

export const oneDressed = async (db: Db, scope: Scope, c: Company, today: string): Promise<Company> =>
  (await dressed(db, scope, [c], today))[0]!

async function checked(d: Partial<Company>, scope: Scope, world: World, before?: Company): Promise<void> {
  const faults: FieldFault[] =
    d.license === before?.license
      ? []
      : await pictureFault(world.files, scope.ownerId, d.license, 'LicenseUrl', '营业执照')
  if (d.contactPhone?.includes('**')) {
    faults.push({ Field: 'ContactPhone', Message: '联系电话含有星号，请填写完整的号码' })
  }
  if (faults.length) throw wrong(faults)
}

const address = (code: string): { url: string; code: string } => ({ url: `/join?code=${code}`, code })

export const companyHandlers = [
  reads(listCompanies, async (q, { db, scope, today }) => {
    const found = await page(db, company, scope, plain(q), {
      filters: companyFilters,
      where: companyWhere(scope.ownerId, q),
    })
    return { ...found, rows: await dressed(db, scope, found.rows, today) }
  }),
  reads(oneCompany, async ({ id }, { db, scope, today }) =>
    oneDressed(db, scope, await need(db, company, scope, id), today),
  ),
  writes(addCompany, async ({ id: _, version: __, places = [], ...d }, { tx, scope, world, today }) => {
    await checked(d, scope, world)
    const made = await insert(tx, company, scope, {
      ...d,
      companyNo: d.companyNo ?? (await tx.one<{ code: string }>(sql`select next_code('GS') as code`))!.code,
      creditCode: d.creditCode?.toUpperCase(),
      state: 'here',
    })
    await keepSearch(tx, scope.ownerId, made)
    await takeRooms(tx, scope, made, places, today)
    return oneDressed(tx, scope, made, today)
  }),
  writes(editCompany, async ({ id, version, ...said }, { tx, scope, world, today }) => {
    if (!id) return refuse('缺少要修改的企业')
    const before = await need(tx, company, scope, id, true)
    const d = unveiled(company.fields, said, before, scope)
    await checked(d, scope, world, before)
    const after = await update(
      tx,
      company,
      scope,
      id,
      {
        ...whole(editCompany.input, d),
        projectCode: before.projectCode,
        companyNo: before.companyNo,
        creditCode: d.creditCode?.toUpperCase(),
      },
      { version },
    )
    await keepSearch(tx, scope.ownerId, after)
    if (before.name !== after.name) {
      await tx.run(
        sql`
          update room
          set company_name = ${after.name}
          where owner_id = ${scope.ownerId} and company_id = ${id}
        `,
      )
    }
    return oneDressed(tx, scope, after, today)
  }),
  writes(deleteCompanies, async ({ ids, reason }, { tx, scope }) => {
    for (const c of await byIds(tx, company, scope, ids, true)) {
      await mayGo(tx, scope, 'company', `企业「${c.name}」`, [c])
    }
    await remove(tx, company, scope, ids, reason)
  }),
  reads(qrUrl, async ({ id }, { db, scope }) => {
    const c = await need(db, company, scope, id)
    const known = await db.one<{ code?: string }>(
      sql`select search_code as code from company where owner_id = ${scope.ownerId} and id = ${id}`,
    )
    return known?.code ? address(known.code) : refuse(`「${c.name}」已迁出，没有邀请码`)
  }),
  writes(renewQr, async ({ id }, { tx, scope }) => {
    const c = await need(tx, company, scope, id, true)
    if (c.state === 'gone') return refuse(`「${c.name}」已迁出，没有邀请码`)
    return address(
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
