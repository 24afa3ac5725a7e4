import { sql, type Tx } from '#kit/server/db.ts'
import type { ImportRequest, LineResult, ImportDefinition, ReadyLine } from '#kit/server/sheet-import.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { hasBuilding, hasProject, outOfDomain } from '#kit/server/scope.ts'
import { recordsetOf } from '#kit/server/table.ts'
import { live, touch } from '#kit/server/sql.ts'
import { findBuildings } from '#modules/estates/server/public.ts'
import { loadSheetRooms, shortBuildingName, type SheetRoom } from '#modules/rooms/server/public.ts'
import {
  exportMerchants,
  importMerchants,
  merchant,
  merchantColumns,
  merchantFilters,
  merchantSheet,
  importProjectInput,
  type Merchant,
  type MerchantSheetRow,
} from '../contract/merchant.ts'
import {
  merchantListFilters,
  plainFilters,
  merchantSearchText,
  type MerchantListQuery as Listing,
} from './merchant.ts'

type ImportRow = Partial<MerchantSheetRow>
type ExistingMerchant = Pick<Merchant, 'id' | 'name' | 'merchantNo' | 'contactName' | 'contactPhone'>

export const merchantImporter: ImportDefinition<
  MerchantSheetRow,
  typeof importProjectInput,
  ExistingMerchant
> = {
  kind: 'merchants.merchant',
  calls: importMerchants,
  sheet: merchantSheet,
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
      mode,
      more: { projectCode },
    } = ask
    if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
    const mine = [...(await findBuildings(db, scope.ownerId, projectCode, 'all', { lock })).values()].filter(
      b => hasBuilding(scope.domain, projectCode, b.code),
    )
    let named: Awaited<ReturnType<typeof loadSheetRooms>> = () => undefined
    let byNo = new Map<string, ExistingMerchant>()
    const first = new Map<string, string>()
    const roomOf = (row: ImportRow): SheetRoom | undefined =>
      row.buildCode && row.unitName && row.roomNo ? named(row.buildCode, row.unitName, row.roomNo) : undefined
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
        const found = await db.rows<ExistingMerchant>(
          sql`
            select id, name, merchant_no, contact_name, contact_phone
            from merchant
            where owner_id = ${scope.ownerId}
              and project_code = ${projectCode}
              and ${live()}
              and (
                state <> 30
                and name = any(${settled.flatMap(l => l.row.name ?? [])})
                or merchant_no = any(${settled.flatMap(l => l.row.merchantNo ?? [])})
              )
          `,
        )
        const byName = new Map(found.map(m => [m.name, m]))
        byNo = new Map(found.map(m => [m.merchantNo!, m]))
        for (const l of settled) {
          for (const k of ['merchantNo', 'loginAccount'] as const) {
            const v = l.row[k]
            if (v && !first.has(`${k} ${v}`)) {
              first.set(`${k} ${v}`, l.row.name ?? '')
            }
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
        const coded = row.merchantNo ? byNo.get(row.merchantNo) : undefined
        if (coded && coded.name !== row.name) {
          faults.push({
            column: 'merchantNo',
            says: `商户号已用于「${coded.name}」`,
            remedy: '换一个商户号，或留空自动生成',
          })
        } else if (there && row.merchantNo && row.merchantNo !== there.merchantNo) {
          faults.push({
            column: 'merchantNo',
            says: `该商家的商户号是「${there.merchantNo}」，不能修改`,
            remedy: '改回原来的，或留空',
          })
        }
        for (const [k, label] of [
          ['merchantNo', '商户号'],
          ['loginAccount', '登录账号'],
        ] as const) {
          const other = row[k] && first.get(`${k} ${row[k]}`)
          if (other !== undefined && other !== '' && other !== row.name) {
            faults.push({
              column: k,
              says: `表里另一商家「${other}」用了这个${label}`,
              remedy: `每个商家用不同的${label}`,
            })
          }
        }
        const said = [row.buildCode, row.unitName, row.roomNo].filter(x => x !== undefined).length
        if (said > 0 && said < 3) {
          faults.push({ column: 'roomNo', says: '楼栋、单元、房号要一起填写', remedy: '补全，或都留空' })
        } else if (said === 3 && !roomOf(row)) {
          faults.push({
            column: 'roomNo',
            says: `没有商铺「${row.unitName} ${row.roomNo}」`,
            remedy: '核对楼栋、单元和房号，或先导入商铺',
          })
        }
        if (row.contactPhone?.includes('**')) {
          faults.push({ column: 'contactPhone', says: '电话含有星号', remedy: '填写完整的号码' })
        }
        return faults
      },
      apply: (tx, ready) => writeImportRows(tx, ask, mode, ready, roomOf),
    }
  },
}

async function writeImportRows(
  tx: Tx,
  { scope, more: { projectCode } }: ImportRequest<{ projectCode: string }>,
  mode: string,
  ready: readonly ReadyLine<MerchantSheetRow, ExistingMerchant>[],
  roomOf: (row: ImportRow) => SheetRoom | undefined,
): Promise<ReadonlyMap<number, LineResult>> {
  const done = new Map<number, LineResult>()
  const fresh = ready.filter(r => !r.existing)
  const there = ready.filter(r => r.existing)
  const own = (row: MerchantSheetRow) => {
    const { buildCode: _, unitName: __, roomNo: ___, ...m } = row
    const r = roomOf(row)
    return { ...m, ...(r ? { roomId: r.id, buildCode: r.buildCode } : {}) }
  }
  if (fresh.length) {
    const ids = await tx.rows<{ id: number; code: string }>(
      sql`
        select nextval(pg_get_serial_sequence('merchant', 'id')) as id, next_code('SH') as code
        from generate_series(1, ${fresh.length}::int)
      `,
    )
    const { columns, as } = recordsetOf(
      merchant,
      fresh.map((f, i) => ({
        state: 'open',
        creditLimit: 0,
        balance: 0,
        ...own(f.row),
        merchantNo: f.row.merchantNo ?? ids[i]!.code,
        projectCode,
      })),
    )
    const made = new Set(
      (
        await tx.rows<{
          id: number
        }>(sql`
          insert into merchant (
            owner_id, create_by, update_by, id, search_text, ${sql.join(columns.map(c => sql.id(c)))}
          )
          select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint, x.id,
            x.search, ${sql.join(columns.map(c => sql`r.${sql.id(c)}`))}
          from (select *, row_number() over () as n from ${as}) r
          join unnest(
            ${ids.map(x => x.id)}::bigint[], ${fresh.map(f => merchantSearchText(f.row))}::text[]
          ) with ordinality x(id, search, n) on x.n = r.n on conflict do nothing
          returning id
        `)
      ).map(r => r.id),
    )
    for (const [i, f] of fresh.entries()) {
      done.set(
        f.line,
        made.has(ids[i]!.id)
          ? { did: 'added', says: '已导入' }
          : { did: 'failed', says: '商户号、名称或登录账号与别的商家重复' },
      )
    }
  }
  for (const r of there) {
    done.set(r.line, { did: 'skipped', says: '已有此商家，已跳过' })
  }
  if (mode !== 'update' || !there.length) return done
  const { columns, as } = recordsetOf(
    merchant,
    there.map(t => own(t.row)),
  )
  const changed = new Set(
    (
      await tx.rows<{
        id: number
      }>(sql`
        update merchant t
        set ${sql.join(columns.map(c => sql`${sql.id(c)} = coalesce(r.${sql.id(c)}, t.${sql.id(c)})`))},
          search_text = r.search, ${touch(scope, 't')}
        from (
          select r.*, x.id as wanted, x.search
          from (select *, row_number() over () as n from ${as}) r
          join unnest(
            ${there.map(t => t.existing!.id)}::bigint[],
            ${there.map(t => merchantSearchText({ ...t.existing!, ...t.row }))}::text[]
          ) with ordinality x(id, search, n) on x.n = r.n
        ) r
        where t.owner_id = ${scope.ownerId}
          and t.id = r.wanted
          and row(
            ${sql.join(columns.map(c => sql`coalesce(r.${sql.id(c)}, t.${sql.id(c)})`))}
          ) is distinct from row(${sql.join(columns.map(c => sql`t.${sql.id(c)}`))})
        returning t.id
      `)
    ).map(r => r.id),
  )
  for (const r of there) {
    done.set(
      r.line,
      changed.has(r.existing!.id)
        ? { did: 'changed', says: '已覆盖' }
        : { did: 'skipped', says: '与系统里的一致，没有变化' },
    )
  }
  return done
}

export const merchantExport = exportHandlers<Listing>({
  kind: 'merchants.merchant',
  name: '商家',
  calls: exportMerchants,
  entity: merchant,
  columns: merchantColumns,
  query: q => ({ q: plainFilters(q), find: { filters: merchantFilters, where: merchantListFilters(q) } }),
})
