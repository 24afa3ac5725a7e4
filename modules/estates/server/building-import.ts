import { Refused, type FieldFault } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { ImportRequest, LineResult, ImportDefinition, ReadyLine } from '#kit/server/sheet-import.ts'
import { hasProject, outOfDomain } from '#kit/server/scope.ts'
import { insertNew, recordsetOf } from '#kit/server/table.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { live, touch } from '#kit/server/sql.ts'
import { building, type Building } from '../contract/building.ts'
import {
  buildingSheet,
  importBuildings,
  importProjectInput,
  type BuildingSheetRow,
} from '../contract/import-export.ts'
import { assertRoomsFit, planUnits, type UnitRooms } from '../domain/units.ts'
import { syncUnits, countRoomsByUnit } from './building.ts'

type ImportRow = Partial<BuildingSheetRow>
type ExistingBuilding = Building & { readonly rooms: readonly UnitRooms[] }
const startValues = { units: 1, unitType: 'number', undergroundFloors: 0 } as const

/**
 * The building that a line means: what it leaves empty is as it was, or the start value; another number of
 * units has names of its own.
 */
const unitPlanOf = (row: ImportRow, there: ExistingBuilding | undefined): Parameters<typeof planUnits>[0] => {
  const b = { ...startValues, ...there, ...row }
  return {
    units: b.units,
    unitType: b.unitType,
    floors: b.floors ?? [],
    undergroundFloors: b.undergroundFloors,
    ...(row.unitNames
      ? { unitNames: row.unitNames }
      : there && row.units !== undefined && row.units !== there.units
        ? {}
        : b.unitNames
          ? { unitNames: b.unitNames }
          : {}),
  }
}

const columnByField: Readonly<Record<string, string>> = { Unitnames: 'unitNames', Floors: 'floors' }

export const buildingImporter: ImportDefinition<
  BuildingSheetRow,
  typeof importProjectInput,
  ExistingBuilding
> = {
  kind: 'estates.building',
  calls: importBuildings,
  sheet: buildingSheet,
  openSession: async (db, ask, _lines, lock) => {
    const {
      scope,
      more: { projectCode },
      mode,
    } = ask
    // Who is limited to some buildings adds none.
    if (
      !hasProject(scope.domain, projectCode) ||
      (!scope.domain.all && scope.domain.projects.get(projectCode))
    )
      throw outOfDomain()
    const found = (
      await db.rows<Record<string, unknown>>(
        sql`
          select *
          from building
          where owner_id = ${scope.ownerId}
            and project_code = ${projectCode}
            and ${live()} ${lock ? sql`for update` : sql``}
        `,
      )
    ).map(r => toEntityRow(building, r))
    const rooms =
      mode === 'update'
        ? Map.groupBy(
            await countRoomsByUnit(
              db as Tx,
              scope,
              projectCode,
              found.map(b => b.code!),
            ),
            r => r.buildCode,
          )
        : new Map<string, UnitRooms[]>()
    const all = found.map((b): ExistingBuilding => ({ ...b, rooms: rooms.get(b.code!) ?? [] }))
    const byName = new Map(all.map(b => [b.name, b]))
    const byCode = new Map(all.map(b => [b.code!, b]))
    return {
      findReferences: () => [],
      findExisting: async settled =>
        new Map(
          settled.flatMap(l => {
            const b = byName.get(l.row.name ?? '')
            return b ? [[l.line, b] as const] : []
          }),
        ),
      checkRow: (row, there) => {
        const faults: { column: string; says: string; remedy: string }[] = []
        const coded = row.code === undefined ? undefined : byCode.get(row.code)
        if (there && row.code !== undefined && row.code !== there.code) {
          faults.push({
            column: 'code',
            says: `该楼栋的编码是「${there.code}」，不能修改`,
            remedy: '改回原来的编码，或留空',
          })
        } else if (!there && coded) {
          faults.push({
            column: 'code',
            says: `楼栋编码已用于「${coded.name}」`,
            remedy: '换一个编码，或留空自动生成',
          })
        }
        if (there && mode === 'skip') return faults
        if (!there && !row.floors?.length)
          return [
            ...faults,
            {
              column: 'floors',
              says: '楼层数不能为空',
              remedy: '各单元层数，用逗号分隔；只填一个数则适用于所有单元',
            },
          ]
        try {
          assertRoomsFit(planUnits(unitPlanOf(row, there)), there?.rooms ?? [])
        } catch (e) {
          if (!(e instanceof Refused)) throw e
          const field = (e.data as readonly FieldFault[] | null)?.[0]?.Field
          faults.push({
            column: (field && columnByField[field]) ?? 'units',
            says: e.message,
            remedy: '核对单元数、单元名称和楼层数',
          })
        }
        return faults
      },
      apply: async (tx, ready) => {
        const done = new Map<number, LineResult>()
        const there = ready.filter(r => r.existing)
        await addBuildings(
          tx,
          ask,
          ready.filter(r => !r.existing),
          done,
        )
        if (mode === 'update') {
          await updateBuildings(tx, ask, there, done)
        } else {
          for (const r of there) {
            done.set(r.line, { did: 'skipped', says: '已有此楼栋，已跳过' })
          }
        }
        return done
      },
    }
  },
}

type BuildingImportInput = ImportRequest<{ projectCode: string }>
type ReadyRows = readonly ReadyLine<BuildingSheetRow, ExistingBuilding>[]

async function addBuildings(
  tx: Tx,
  { scope, more: { projectCode } }: BuildingImportInput,
  fresh: ReadyRows,
  done: Map<number, LineResult>,
): Promise<void> {
  if (!fresh.length) return
  const codes = (
    await tx.rows<{ code: string }>(
      sql`select next_code('B') as code from generate_series(1, ${fresh.length}::int)`,
    )
  ).map(r => r.code)
  const made = fresh.map(({ row, line }, i) => ({
    line,
    planned: planUnits(unitPlanOf(row, undefined)),
    value: { ...startValues, ...row, projectCode, code: row.code ?? codes[i]! },
  }))
  const added = await insertNew(
    tx,
    building,
    scope,
    made.map(m => ({ ...m.value, unitNames: m.planned.map(p => p.name) })),
    ['name'],
  )
  const good = made.filter(m => added.has(JSON.stringify([m.value.name])))
  await syncUnits(
    tx,
    scope,
    projectCode,
    good.map(m => ({ code: m.value.code, planned: m.planned })),
  )
  for (const m of made) {
    done.set(
      m.line,
      good.includes(m)
        ? { did: 'added', says: '已导入' }
        : { did: 'failed', says: '未导入：楼栋名称或编码与别的楼栋重复' },
    )
  }
}

async function updateBuildings(
  tx: Tx,
  { scope, more: { projectCode } }: BuildingImportInput,
  there: ReadyRows,
  done: Map<number, LineResult>,
): Promise<void> {
  if (!there.length) return
  const made = there.map(({ row, existing: t, line }) => ({
    line,
    planned: planUnits(unitPlanOf(row, t)),
    row,
    t: t!,
  }))
  const { columns: cols, as } = recordsetOf(
    building,
    made.map(m => ({ ...m.row, code: m.t.code, unitNames: m.planned.map(p => p.name) })),
  )
  const set = cols.filter(c => c !== 'code' && c !== 'name')
  const changed = new Set(
    (
      await tx.rows<{
        code: string
      }>(sql`
        update building as t
        set ${sql.join(set.map(c => sql`${sql.id(c)} = coalesce(r.${sql.id(c)}, t.${sql.id(c)})`))},
          ${touch(scope, 't')}
        from ${as}
        where t.owner_id = ${scope.ownerId}
          and t.project_code = ${projectCode}
          and t.code = r.code
          and ${live('t')}
          and row(
            ${sql.join(set.map(c => sql`coalesce(r.${sql.id(c)}, t.${sql.id(c)})`))}
          ) is distinct from row(${sql.join(set.map(c => sql`t.${sql.id(c)}`))})
        returning t.code
      `)
    ).map(r => r.code),
  )
  await syncUnits(
    tx,
    scope,
    projectCode,
    made.filter(m => changed.has(m.t.code!)).map(m => ({ code: m.t.code!, planned: m.planned })),
  )
  for (const m of made) {
    done.set(
      m.line,
      changed.has(m.t.code!)
        ? { did: 'changed', says: '已覆盖' }
        : { did: 'skipped', says: '与系统里的一致，没有变化' },
    )
  }
}
