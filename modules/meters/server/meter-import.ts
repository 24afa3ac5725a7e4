import { defined } from '#kit/domain/defined.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { ImportRequest, LineResult, ImportDefinition, ReadyLine } from '#kit/server/sheet-import.ts'
import { hasBuilding, hasProject, outOfDomain } from '#kit/server/scope.ts'
import { findByIds, insertAll, recordsetOf, findAll } from '#kit/server/table.ts'
import { audit } from '#kit/server/audit.ts'
import { touch } from '#kit/server/sql.ts'
import { findBuildings } from '#modules/estates/server/public.ts'
import { loadSheetRooms, shortBuildingName, type SheetRoom } from '#modules/rooms/server/public.ts'
import { meter, type Meter } from '../contract/meter.ts'
import { importMeters, meterSheet, importProjectInput, type MeterLine } from '../contract/transfer.ts'
import {
  findChargedMeters,
  loadReadingSpans,
  validateReadMeter,
  loadMeterSources,
  stillChargedMessage,
  type MeterSource,
} from './meter-validation.ts'

type MeterRow = Partial<MeterLine>
type ImportContext = ImportRequest<{ projectCode: string }>
const placeKeys = ['buildCode', 'unitName', 'roomNo', 'areaCode', 'parentNo'] as const

const omitPlace = (row: MeterRow): MeterRow =>
  Object.fromEntries(Object.entries(row).filter(([k]) => !(placeKeys as readonly string[]).includes(k)))

export const meterImporter: ImportDefinition<MeterLine, typeof importProjectInput, Meter> = {
  kind: 'meters.meter',
  calls: importMeters,
  sheet: meterSheet,
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
      more: { projectCode },
    } = ask
    if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
    const mine = [...(await findBuildings(db, scope.ownerId, projectCode, 'all', { lock })).values()].filter(
      b => hasBuilding(scope.domain, projectCode, b.code),
    )
    let named: Awaited<ReturnType<typeof loadSheetRooms>> = () => undefined
    let sources: ReadonlyMap<string, MeterSource> = new Map()
    let parents = new Map<string, { id: number; meterKind: Meter['meterKind'] }>()
    let read: Awaited<ReturnType<typeof loadReadingSpans>> = new Map()
    let charged: ReadonlySet<number> = new Set()
    const roomOf = (row: MeterRow): SheetRoom | undefined =>
      row.buildCode && row.unitName && row.roomNo ? named(row.buildCode, row.unitName, row.roomNo) : undefined
    const sourceOf = (row: MeterRow): MeterSource | undefined => {
      const r = roomOf(row)
      return r ? sources.get(`10/${r.code}`) : row.areaCode ? sources.get(`40/${row.areaCode}`) : undefined
    }
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
        sources = await loadMeterSources(
          db,
          scope.ownerId,
          projectCode,
          settled.flatMap(l => roomOf(l.row)?.code ?? []),
          settled.flatMap(l => l.row.areaCode ?? []),
        )
        const nos = [...new Set(settled.flatMap(l => [l.row.meterNo ?? [], l.row.parentNo ?? []].flat()))]
        const found = new Map(
          (
            await findAll(
              db,
              meter,
              scope,
              { projectCode },
              { where: [sql`t.meter_no = any(${nos})`], limit: 50_000 },
            )
          ).map(m => [m.meterNo, m]),
        )
        parents = new Map([...found.values()].map(m => [m.meterNo, m]))
        const known = [...found.values()].map(m => m.id)
        read = await loadReadingSpans(db, scope.ownerId, known)
        charged = await findChargedMeters(db, scope.ownerId, known)
        return new Map(
          settled.flatMap(l => {
            const m = found.get(l.row.meterNo ?? '')
            return m ? [[l.line, m] as const] : []
          }),
        )
      },
      checkRow: (row, there) => {
        const faults: { column: string; says: string; remedy: string }[] = []
        const fault = (column: string, says: string, remedy: string): void => {
          faults.push({ column, says, remedy })
        }
        const some = [row.buildCode, row.unitName, row.roomNo].filter(x => x !== undefined).length
        if (some > 0 && some < 3) {
          fault('roomNo', '楼栋、单元、房号要一起填写', '补全，或都留空')
        } else if (some === 3 && !roomOf(row)) {
          fault('roomNo', `没有房间「${row.unitName} ${row.roomNo}」`, '核对楼栋、单元和房号，或先导入房间')
        }
        if (some && row.areaCode) {
          fault('areaCode', '房间与公共区域只能填一个', '删去其中一个')
        } else if (row.areaCode && !sourceOf(row)) {
          fault('areaCode', `没有编码为「${row.areaCode}」的公共区域`, '核对编码，或先新增公共区域')
        }
        if (
          !some &&
          !row.areaCode &&
          (row.meterUse ?? there?.meterUse ?? 'household') === 'household' &&
          !there?.sourceCode
        ) {
          fault('roomNo', '户表要填写所在的房间', '填写楼栋、单元、房号')
        }
        if (row.multiple !== undefined && Number(row.multiple) === 0) {
          fault('multiple', '倍率应大于零', '填 1 或互感器倍率')
        }
        if (
          row.digits !== undefined &&
          row.initNum !== undefined &&
          Number(row.initNum) >= 10 ** row.digits
        ) {
          fault('initNum', `超过 ${row.digits} 位表的最大值`, '核对初始读数或位数')
        }
        const parent = row.parentNo ? parents.get(row.parentNo) : undefined
        if (row.parentNo && row.parentNo === row.meterNo) {
          fault('parentNo', '不能以自己为上级表', '改为总表的表号')
        } else if (row.parentNo && !parent) {
          fault('parentNo', `没有表号为「${row.parentNo}」的仪表`, '先导入总表，再导入分表')
        } else if (parent && row.meterKind && parent.meterKind !== row.meterKind) {
          fault('parentNo', '上级表的类型不同', '改为同类型的总表')
        }
        if (there?.state === 'replaced') {
          fault('meterNo', '这只表已更换，不能修改', '用新表号')
        }
        const at = sourceOf(row)
        if (there && at && charged.has(there.id) && at.sourceCode !== there.sourceCode) {
          fault(
            row.areaCode ? 'areaCode' : 'roomNo',
            stillChargedMessage(there),
            '结束收费关联后再导入，或留空',
          )
        }
        if (there) {
          for (const x of validateReadMeter(
            {
              meterKind: row.meterKind ?? there.meterKind,
              initNum: row.initNum ?? there.initNum,
              digits: row.digits,
              installDate: row.installDate,
            },
            there,
            read.get(there.id),
          )) {
            fault(x.key, x.says, '改回原来的，或留空')
          }
        }
        return faults
      },
      apply: (tx, ready) => writeMeters(tx, ask, ready, sourceOf, no => parents.get(no)?.id),
    }
  },
}

async function writeMeters(
  tx: Tx,
  { scope, mode, more: { projectCode } }: ImportContext,
  ready: readonly ReadyLine<MeterLine, Meter>[],
  sourceOf: (row: MeterRow) => MeterSource | undefined,
  parentOf: (no: string) => number | undefined,
): Promise<ReadonlyMap<number, LineResult>> {
  const done = new Map<number, LineResult>()
  const fresh = ready.filter(r => !r.existing)
  const known = ready.filter(r => r.existing)
  const told = (row: MeterRow): object => {
    const s = sourceOf(row)
    return {
      ...omitPlace(row),
      ...(s
        ? {
            sourceType: s.sourceType === 10 ? 'room' : 'publicArea',
            sourceCode: s.sourceCode,
            sourceName: s.sourceName,
            buildCode: s.buildCode,
            sortKey: s.sortKey,
          }
        : {}),
      ...(row.parentNo ? { parentMeterId: parentOf(row.parentNo) } : {}),
    }
  }
  await insertAll(
    tx,
    meter,
    scope,
    fresh.map(r => ({
      meterUse: 'household',
      multiple: '1',
      decimals: 2,
      isSmart: false,
      prepayMode: 'after',
      state: 'active',
      ...told(r.row),
      projectCode,
    })),
  )
  for (const r of fresh) {
    done.set(r.line, { did: 'added', says: '已导入' })
  }
  for (const r of known) {
    done.set(
      r.line,
      mode === 'update' ? { did: 'changed', says: '已覆盖' } : { did: 'skipped', says: '已有此表号，已跳过' },
    )
  }
  if (mode !== 'update' || !known.length) return done
  await findByIds(
    tx,
    meter,
    scope,
    known.map(r => defined(r.existing).id),
    true,
  )
  const { columns, as } = recordsetOf(
    meter,
    known.map(r => told(r.row)),
  )
  await tx.execute(sql`
    update meter t
    set ${sql.join(columns.map(c => sql`${sql.id(c)} = coalesce(x.${sql.id(c)}, t.${sql.id(c)})`))},
      ${touch(scope, 't')}
    from (
      select r.*, w.id as wanted
      from (select *, row_number() over () as n from ${as}) r
      join unnest(${known.map(r => defined(r.existing).id)}::bigint[]) with ordinality w(id, n) on w.n = r.n
    ) x
    where t.owner_id = ${scope.ownerId} and t.id = x.wanted
  `)
  await tx.execute(
    sql`
      update meter_reading r
      set build_code = m.build_code
      from meter m
      where m.owner_id = ${scope.ownerId}
        and m.id = any(${known.map(r => defined(r.existing).id)})
        and r.owner_id = ${scope.ownerId}
        and r.meter_id = m.id
        and r.build_code is distinct from m.build_code
    `,
  )
  await audit(tx, scope, [
    { action: 'update', entity: 'meter', entityId: 0, projectCode, after: { count: known.length } },
  ])
  return done
}
