import { sql, type Tx } from '#kit/server/db.ts'
import type { ImportRequest, LineResult, ImportDefinition, ReadyLine } from '#kit/server/sheet-import.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { hasBuilding, hasProject, outOfDomain } from '#kit/server/scope.ts'
import { findByIds, recordsetOf } from '#kit/server/table.ts'
import { live, touch } from '#kit/server/sql.ts'
import { findBuildings } from '#modules/estates/server/public.ts'
import { loadSheetRooms, shortBuildingName, type SheetRoom } from '#modules/rooms/server/public.ts'
import { company, companyFilters, type Company } from '../contract/company.ts'
import {
  companyColumns,
  companySheet,
  exportCompanies,
  importCompanies,
  importProjectInput,
  type CompanySheetRow,
} from '../contract/import-export.ts'
import {
  companyListFilters,
  plainFilters,
  companySearchText,
  type CompanyListQuery as Listing,
} from './company.ts'
import { findRoomHoldings, assignRooms } from './company-room.ts'

type ImportRow = Partial<CompanySheetRow>
type CompanyImportInput = ImportRequest<{ projectCode: string }>

type ExistingCompany = Pick<Company, 'id' | 'name' | 'companyNo' | 'contactName' | 'contactPhone'> & {
  readonly hasRoom: boolean
}

type RoomHolding = Awaited<ReturnType<typeof findRoomHoldings>>[number]
const roomKeys = ['buildCode', 'unitName', 'roomNo', 'beginDate', 'endDate'] as const

const companyFieldsOf = (row: ImportRow): ImportRow => ({
  ...Object.fromEntries(Object.entries(row).filter(([k]) => !(roomKeys as readonly string[]).includes(k))),
  ...(row.creditCode ? { creditCode: row.creditCode.toUpperCase() } : {}),
})

export const companyImporter: ImportDefinition<CompanySheetRow, typeof importProjectInput, ExistingCompany> =
  {
    kind: 'companies.company',
    calls: importCompanies,
    sheet: companySheet,
    templateOptions: async (db, { scope, more }) => {
      const all = [...(await findBuildings(db, scope.ownerId, more.projectCode, 'all')).values()].filter(b =>
        hasBuilding(scope.domain, more.projectCode, b.code),
      )
      return {
        buildCode: all.map(b => b.name),
        unitName: [...new Set(all.flatMap(b => b.units.map(u => u.name)))],
      }
    },
    openSession: async (db, ask, _lines, lock) => {
      const {
        scope,
        today,
        mode,
        more: { projectCode },
      } = ask
      if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
      const mine = [
        ...(await findBuildings(db, scope.ownerId, projectCode, 'all', { lock })).values(),
      ].filter(b => hasBuilding(scope.domain, projectCode, b.code))
      let named: Awaited<ReturnType<typeof loadSheetRooms>> = () => undefined
      let byNo = new Map<string, ExistingCompany>()
      const held = new Map<number, RoomHolding[]>()
      const firstNo = new Map<string, string>()
      const spans: { line: object; room: number; from: string; to: string; company: string }[] = []
      const roomOf = (row: ImportRow): SheetRoom | undefined =>
        row.buildCode && row.unitName && row.roomNo
          ? named(row.buildCode, row.unitName, row.roomNo)
          : undefined
      const from = (row: ImportRow): string => row.beginDate ?? row.inDate ?? today
      return {
        findReferences: (_, name) => {
          for (const test of [
            (b: (typeof mine)[number]) => b.name === name,
            (b: (typeof mine)[number]) => b.code === name,
            (b: (typeof mine)[number]) => shortBuildingName(b.name) === shortBuildingName(name),
          ]) {
            const hit = mine.filter(test)
            if (hit.length) return hit.map(b => b.code)
          }
          return []
        },
        findExisting: async settled => {
          named = await loadSheetRooms(db, scope.ownerId, projectCode, [
            ...new Set(settled.flatMap(l => l.row.buildCode ?? [])),
          ])
          const found = await db.rows<ExistingCompany>(sql`
            select id,
              name,
              company_no,
              contact_name,
              contact_phone,
              exists (
                select 1
                from company_room r
                where r.owner_id = c.owner_id and r.company_id = c.id and ${live('r')}
              ) as has_room
            from company c
            where owner_id = ${scope.ownerId}
              and project_code = ${projectCode}
              and ${live()}
              and (
                state <> 20
                and name = any(${settled.flatMap(l => l.row.name ?? [])})
                or company_no = any(${settled.flatMap(l => l.row.companyNo ?? [])})
              )
          `)
          const byName = new Map(found.map(c => [c.name, c]))
          byNo = new Map(found.map(c => [c.companyNo!, c]))
          const rooms = settled.flatMap(l => roomOf(l.row)?.id ?? [])
          for (const h of rooms.length
            ? await findRoomHoldings(db, scope, rooms, '1900-01-01', undefined, 0)
            : []) {
            held.set(h.roomId, [...(held.get(h.roomId) ?? []), h])
          }
          for (const l of settled) {
            const r = roomOf(l.row)
            if (l.row.companyNo && l.row.name && !firstNo.has(l.row.companyNo)) {
              firstNo.set(l.row.companyNo, l.row.name)
            }
            if (r) {
              spans.push({
                line: l.row,
                room: r.id,
                from: from(l.row),
                to: l.row.endDate ?? '9999-12-31',
                company: l.row.name ?? '',
              })
            }
          }
          return new Map(
            settled.flatMap(l => {
              const t = byName.get(l.row.name ?? '')
              return t ? [[l.line, t] as const] : []
            }),
          )
        },
        checkRow: (row, there) => {
          const faults: { column: string; says: string; remedy: string }[] = []
          const fault = (column: string, says: string, remedy: string): void => {
            faults.push({ column, says, remedy })
          }
          const coded = row.companyNo ? byNo.get(row.companyNo) : undefined
          if (coded && coded.name !== row.name) {
            fault('companyNo', `公司编号已用于「${coded.name}」`, '换一个编号，或留空自动生成')
          } else if (row.companyNo && firstNo.get(row.companyNo) !== row.name) {
            fault(
              'companyNo',
              `表里另一家企业「${firstNo.get(row.companyNo)}」用了这个编号`,
              '每家企业用不同的编号',
            )
          } else if (there && row.companyNo && row.companyNo !== there.companyNo) {
            fault('companyNo', `该企业的编号是「${there.companyNo}」，不能修改`, '改回原来的编号，或留空')
          }
          const said = [row.buildCode, row.unitName, row.roomNo].filter(x => x !== undefined).length
          const r = roomOf(row)
          if (said > 0 && said < 3) {
            fault('roomNo', '楼栋、单元、房号要一起填写', '补全，或都留空只登记企业')
          } else if (said === 3 && !r) {
            fault('roomNo', `没有房间「${row.unitName} ${row.roomNo}」`, '核对楼栋、单元和房号，或先导入房间')
          }
          if (row.endDate && row.endDate < from(row)) {
            fault('endDate', '租用止不能早于租用起', '核对起止日期')
          }
          if (r) {
            const to = row.endDate ?? '9999-12-31'
            const other = (held.get(r.id) ?? []).find(
              h =>
                h.companyName !== row.name && h.beginDate <= to && (h.endDate ?? '9999-12-31') >= from(row),
            )
            if (other) {
              fault(
                'roomNo',
                `房间「${r.path}」${other.beginDate} 至 ${other.endDate ?? '今'} 属于「${other.companyName}」`,
                '调整起止日期，或先办理迁出',
              )
            }
            const twin = spans.find(
              s => s.room === r.id && s.company !== row.name && s.from <= to && s.to >= from(row),
            )
            if (twin) {
              fault('roomNo', `表里「${twin.company}」同时租用这个房间`, '调整起止日期，或删去一行')
            }
          }
          return faults
        },
        apply: (tx, ready) => writeImportRows(tx, ask, mode, ready, roomOf, from),
      }
    },
  }

async function writeImportRows(
  tx: Tx,
  { scope, today, more: { projectCode } }: CompanyImportInput,
  mode: string,
  ready: readonly ReadyLine<CompanySheetRow, ExistingCompany>[],
  roomOf: (row: ImportRow) => SheetRoom | undefined,
  from: (row: ImportRow) => string,
): Promise<ReadonlyMap<number, LineResult>> {
  const done = new Map<number, LineResult>()
  const groups = [...Map.groupBy(ready, r => r.row.name).values()]
  const fresh = groups.filter(g => !g[0]!.existing)
  const known = groups.filter(g => g[0]!.existing)
  const said = (g: readonly ReadyLine<CompanySheetRow, ExistingCompany>[]): ImportRow & { name: string } =>
    Object.assign({}, ...g.toReversed().map(l => companyFieldsOf(l.row))) as ImportRow & { name: string }
  const idOf = new Map<string, number>()
  if (fresh.length) {
    const ids = await tx.rows<{ id: number; code: string }>(
      sql`
        select nextval(pg_get_serial_sequence('company', 'id')) as id, next_code('GS') as code
        from generate_series(1, ${fresh.length}::int)
      `,
    )
    const values = fresh.map((g, i) => ({
      ...said(g),
      companyNo: said(g).companyNo ?? ids[i]!.code,
      projectCode,
      state: 'here',
    }))
    const { columns, as } = recordsetOf(company, values)
    const made = new Set(
      (
        await tx.rows<{
          id: number
        }>(sql`
          insert into company (
            owner_id, create_by, update_by, id, search_text, ${sql.join(columns.map(c => sql.id(c)))}
          )
          select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint, x.id,
            x.search, ${sql.join(columns.map(c => sql`r.${sql.id(c)}`))}
          from (select *, row_number() over () as n from ${as}) r
          join unnest(
            ${ids.map(x => x.id)}::bigint[], ${values.map(v => companySearchText(v))}::text[]
          ) with ordinality x(id, search, n) on x.n = r.n on conflict do nothing
          returning id
        `)
      ).map(r => r.id),
    )
    for (const [i, g] of fresh.entries()) {
      if (made.has(ids[i]!.id)) {
        idOf.set(g[0]!.row.name, ids[i]!.id)
      }
      for (const l of g) {
        done.set(
          l.line,
          made.has(ids[i]!.id)
            ? { did: 'added', says: '已导入' }
            : { did: 'failed', says: '公司编号或名称刚刚被别人登记，请重新导入这一行' },
        )
      }
    }
  }
  for (const g of known) {
    idOf.set(g[0]!.row.name, g[0]!.existing!.id)
    for (const l of g) {
      done.set(l.line, { did: 'skipped', says: '已有此企业，已跳过' })
    }
  }
  if (mode === 'update' && known.length) {
    const values = known.map(said)
    const { columns, as } = recordsetOf(company, values)
    await tx.execute(sql`
      update company t
      set ${sql.join(columns.map(c => sql`${sql.id(c)} = coalesce(r.${sql.id(c)}, t.${sql.id(c)})`))},
        search_text = r.search, ${touch(scope, 't')}
      from (
        select r.*, x.id as wanted, x.search
        from (select *, row_number() over () as n from ${as}) r
        join unnest(
          ${known.map(g => g[0]!.existing!.id)}::bigint[],
          ${known.map((g, i) => companySearchText({ ...g[0]!.existing!, ...values[i]! }))}::text[]
        ) with ordinality x(id, search, n) on x.n = r.n
      ) r
      where t.owner_id = ${scope.ownerId} and t.id = r.wanted
    `)
    for (const g of known) {
      for (const l of g) {
        done.set(l.line, { did: 'changed', says: '已覆盖' })
      }
    }
  }
  const mine = new Map((await findByIds(tx, company, scope, [...idOf.values()], true)).map(c => [c.id, c]))
  for (const g of groups) {
    const c = mine.get(idOf.get(g[0]!.row.name) ?? 0)
    if (!c) continue
    const has = new Set(
      (
        await tx.rows<{ roomId: number }>(
          sql`
            select room_id
            from company_room
            where owner_id = ${scope.ownerId}
              and company_id = ${c.id}
              and ${live()}
              and (end_date is null or end_date >= ${today})
          `,
        )
      ).map(r => r.roomId),
    )
    const wanted = g.flatMap(l => {
      const r = roomOf(l.row)
      return r && !has.has(r.id) ? [{ l, r }] : []
    })
    await assignRooms(
      tx,
      scope,
      c,
      wanted.map(({ l, r }) => ({
        roomId: r.id,
        beginDate: from(l.row),
        ...(l.row.endDate ? { endDate: l.row.endDate } : {}),
      })),
      today,
    )
    for (const { l } of wanted) {
      if (g[0]!.existing) {
        done.set(l.line, { did: 'added', says: '已有此企业，已添加房间' })
      }
    }
  }
  return done
}

export const companyExport = exportHandlers<Listing>({
  kind: 'companies.company',
  name: '企业',
  calls: exportCompanies,
  entity: company,
  columns: companyColumns,
  query: (q, { scope }) => ({
    q: plainFilters(q),
    find: { filters: companyFilters, where: companyListFilters(scope.ownerId, q) },
  }),
})
