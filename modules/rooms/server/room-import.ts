import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { Refused } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { ImportRequest, LineResult, ImportDefinition, ReadyLine } from '#kit/server/sheet-import.ts'
import { hasBuilding } from '#kit/server/scope.ts'
import { findByKey, insertNew, keyText, recordsetOf } from '#kit/server/table.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { live, touch } from '#kit/server/sql.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { findBuildings, type BuildingWithUnits } from '#modules/estates/server/public.ts'
import { roomAreaKeys, type RoomAreas } from '../contract/room-change.ts'
import { room, type Room } from '../contract/room.ts'
import { importRooms, importProjectInput, roomSheet, type RoomSheetRow } from '../contract/import-export.ts'
import { roomState } from '../contract/labels.ts'
import {
  withFollowingChargeArea,
  planAreaChanges,
  withChargeArea,
  type AreaChange,
  type PlannedAreaChange,
} from '../domain/room-areas.ts'
import { floorFault, shortBuildingName, shortUnitName } from '../domain/room-numbering.ts'
import { roomStateFault } from '../domain/room-state.ts'
import { getPeopleImporter, mergeOutcomes, type PeopleImport, type ImportedPerson } from './import-people.ts'
import { changeItemLabel, logRoomChanges, findAreaChanges, type RoomChangeEntry } from './room-areas.ts'
import { loadSheetRooms } from './room-occupants.ts'
import { pathAndSortKeyOf } from './room.ts'

export type ExistingRoom = Pick<
  Room,
  | 'id'
  | 'projectCode'
  | 'code'
  | 'buildCode'
  | 'unitName'
  | 'roomNo'
  | 'floorNum'
  | 'roomState'
  | 'deliverDate'
  | 'decorateBegin'
  | 'checkinDate'
  | 'state'
> &
  RoomAreas & { readonly steps: readonly AreaChange[] }

type ImportRow = Partial<RoomSheetRow>
const naturalKey = ['buildCode', 'unitName', 'roomNo'] as const

const roomKeyOf = (r: {
  readonly buildCode?: string
  readonly unitName?: string
  readonly roomNo?: string
}): string => keyText(r, naturalKey)

const existingColumns = sql.raw(
  't.id, t.project_code, t.code, t.build_code, t.unit_name, t.room_no, t.floor_num, t.room_state, t.deliver_date, t.decorate_begin, t.checkin_date, t.build_area, t.inner_area, t.share_area, t.charge_area, t.fee_ratio, t.state',
)

/**
 * Rooms that stand under the natural keys or the codes that lines say, in one round trip; held where they
 * will be changed.
 */
async function findExistingRooms(
  db: Db,
  owner: number,
  project: string,
  keys: readonly (readonly [string, string, string])[],
  codes: readonly string[],
  hold: boolean,
): Promise<Omit<ExistingRoom, 'steps'>[]> {
  const inProject = sql`t.owner_id = ${owner} and t.project_code = ${project} and ${live('t')}`
  const held = hold ? sql`order by t.id for update of t` : sql``
  const [byNo, byCode] = await db.all<[Record<string, unknown>, Record<string, unknown>]>(
    sql`
      select ${existingColumns}
      from room t
      join (
        select distinct *
        from unnest(
          ${keys.map(k => k[0])}::text[], ${keys.map(k => k[1])}::text[], ${keys.map(k => k[2])}::text[]
        ) as k(b, u, n)
      ) k on t.build_code = k.b
        and t.unit_name = k.u
        and t.room_no = k.n
      where ${inProject} ${held}
    `,
    sql`select ${existingColumns} from room t where ${inProject} and t.code = any(${[...codes]}) ${held}`,
  )
  return [...byNo, ...byCode].map(r => toEntityRow(room, r)) as never
}

export const roomImporter: ImportDefinition<RoomSheetRow, typeof importProjectInput, ExistingRoom> = {
  kind: 'rooms.room',
  calls: importRooms,
  sheet: roomSheet,
  hiddenInTemplate: ['estateName', 'newRoomNo', 'effectiveDate'],
  templateOptions: async (db, { scope, more }) => {
    const all = [...(await findBuildings(db, scope.ownerId, more.projectCode, 'all')).values()].filter(b =>
      hasBuilding(scope.domain, more.projectCode, b.code),
    )
    return {
      buildCode: all.map(b => b.name),
      unitName: [...new Set(all.flatMap(b => b.units.map(u => u.name)))],
      userRelation: getPeopleImporter()?.relations ?? [],
    }
  },
  openSession: async (db, ask, _lines, lock) => {
    const {
      scope,
      more: { projectCode },
      mode,
      today,
    } = ask
    const buildings = await findBuildings(db, scope.ownerId, projectCode, 'all', { lock })
    const mine = [...buildings.values()].filter(b => hasBuilding(scope.domain, projectCode, b.code))
    const project = await findByKey(db, estate, scope, projectCode, projectCode)
    const unitOf = (row: ImportRow) => {
      const b = buildings.get(row.buildCode ?? '')
      const said = row.unitName ?? ''
      return (
        b?.units.find(u => u.name === said) ??
        b?.units.find(u => shortUnitName(u.name) === shortUnitName(said))
      )
    }
    const byCode = new Map<string, ExistingRoom>()
    const byNo = new Map<string, ExistingRoom>()
    const targets = new Map<string, number>()
    const leaving = new Set<string>()
    const replacing = mode === 'replace' || mode === 'append'
    const saidBy = new WeakMap<object, ImportedPerson>()
    let appending: PeopleImport | undefined

    return {
      findReferences: (key, name) => (key === 'buildCode' ? findBuildingCodesByName(mine, name) : []),
      normalizeRow: row => {
        const u = unitOf(row)
        return u ? { ...row, unitName: u.name } : row
      },
      findExisting: async settled => {
        const whole = settled.filter(l => l.row.buildCode && l.row.unitName && l.row.roomNo)
        const renumbered = mode === 'renumber' ? whole.filter(l => l.row.newRoomNo) : []
        const keys = [
          ...whole.map(
            l => [defined(l.row.buildCode), defined(l.row.unitName), defined(l.row.roomNo)] as const,
          ),
          ...renumbered.map(
            l => [defined(l.row.buildCode), defined(l.row.unitName), defined(l.row.newRoomNo)] as const,
          ),
        ]
        const found = await findExistingRooms(
          db,
          scope.ownerId,
          projectCode,
          keys,
          settled.flatMap(l => l.row.code ?? []),
          lock && mode !== 'skip',
        )
        const steps = replacing
          ? await findAreaChanges(
              db,
              scope.ownerId,
              found.map(r => r.id),
            )
          : new Map<number, AreaChange[]>()
        for (const r of found) {
          const t = { ...r, steps: steps.get(r.id) ?? [] }
          byNo.set(roomKeyOf(r), t)
          byCode.set(defined(r.code), t)
        }
        for (const l of renumbered) {
          const to = roomKeyOf({ ...l.row, roomNo: defined(l.row.newRoomNo) })
          targets.set(to, (targets.get(to) ?? 0) + 1)
          leaving.add(roomKeyOf(l.row))
        }
        if (mode === 'append') {
          const said = settled.flatMap(({ line, row }) => {
            const s = personInRow(line, row, byNo.get(roomKeyOf(row))?.id, today)
            if (s) {
              saidBy.set(row, s)
            }
            return s ? [s] : []
          })
          appending = await getPeopleImporter()?.open(db, ask, said)
        }
        return new Map(
          whole.flatMap(l => {
            const t = byNo.get(roomKeyOf(l.row))
            return t ? [[l.line, t] as const] : []
          }),
        )
      },
      checkRow: (row, there) => {
        const faults: { column: string; says: string; remedy: string }[] = []
        const fault = (column: string, says: string, remedy: string): void => {
          faults.push({ column, says, remedy })
        }
        if (
          row.estateName !== undefined &&
          row.estateName !== project?.name &&
          row.estateName !== projectCode
        ) {
          fault(
            'estateName',
            `该行属于「${row.estateName}」，不是所选的「${project?.name ?? projectCode}」`,
            '换一个项目导入，或删去这一行',
          )
        }
        const u = unitOf(row)
        const b = buildings.get(row.buildCode ?? '')
        if (b && !u) {
          fault(
            'unitName',
            `${b.name}没有「${row.unitName}」单元`,
            `改成 ${b.units.map(x => x.name).join('、')} 之一，或先在楼宇管理里增加单元`,
          )
        }
        const floor = row.floorNum === undefined || !u ? undefined : floorFault(u, row.floorNum)
        if (floor) {
          fault('floorNum', floor, '核对楼层，或先在楼宇管理里修改层数')
        }
        const coded = row.code === undefined ? undefined : byCode.get(row.code)
        if (there && row.code !== undefined && row.code !== there.code) {
          fault('code', `该房间的房屋编码是「${there.code}」，不能修改`, '改回原来的编码，或留空')
        } else if (!there && coded) {
          fault(
            'code',
            `房屋编码已用于房间「${coded.buildCode}-${coded.unitName}-${coded.roomNo}」`,
            '换一个编码，或留空自动生成',
          )
        }
        if (mode === 'renumber') {
          renumberFaults(row, there, fault)
        } else if (!there && row.floorNum === undefined) {
          fault('floorNum', '楼层不能为空', '填写所在楼层，地下为负数')
        } else if (there && replacing) {
          addReplaceFaults(row, there, today, fault)
        }
        const said = saidBy.get(row)
        if (said && (row.state ?? there?.state) === 'off') {
          fault('userMobile', '停用的房间不能追加住户', '先启用该房间，或清空住户各列')
        } else if (said) {
          for (const f of appending?.check(said) ?? []) {
            fault(f.column, f.says, f.remedy)
          }
        }
        return faults
      },
      apply: async (tx, ready) => {
        const there = ready.filter(r => r.existing)
        const fresh = ready.filter(r => !r.existing)
        const done = new Map<number, LineResult>()
        if (mode === 'skip') {
          for (const r of there) {
            done.set(r.line, { did: 'skipped', says: '已有此房间，已跳过' })
          }
        }
        if (replacing) {
          await replaceRooms(tx, ask, buildings, there, done)
        }
        if (mode === 'renumber') {
          await renumberRooms(tx, ask, buildings, there, done)
        } else {
          await addRooms(tx, ask, buildings, fresh, done)
        }
        const peopled = appending
          ? ready.filter(r => saidBy.has(r.row) && done.get(r.line)?.did !== 'failed')
          : []
        if (peopled.length) {
          const at = await loadSheetRooms(tx, scope.ownerId, projectCode, [
            ...new Set(peopled.map(r => r.row.buildCode)),
          ])
          const told = await defined(appending).apply(
            tx,
            peopled.flatMap(({ line, row }) => {
              const r = at(row.buildCode, row.unitName, row.roomNo)
              return r ? [{ line, room: r }] : []
            }),
          )
          for (const [line, d] of told) {
            done.set(line, mergeOutcomes(defined(done.get(line)), d))
          }
        }
        return done
      },
    }
    function renumberFaults(
      row: ImportRow,
      there: ExistingRoom | undefined,
      fault: (c: string, s: string, r: string) => void,
    ): void {
      if (!there) return fault('roomNo', '没有这个房间，不能改房号', '核对楼栋、单元和房号')
      if (!row.newRoomNo) return fault('newRoomNo', '新房号不能为空', '填写新房号，或删去这一行')
      const to = roomKeyOf({ ...row, roomNo: row.newRoomNo })
      const holder = byNo.get(to)
      if ((targets.get(to) ?? 0) > 1) {
        fault('newRoomNo', '另一行也要改成这个房号', '每个房间改成不同的房号')
      } else if (holder && holder.id !== there.id && !leaving.has(to)) {
        fault('newRoomNo', '该单元已有此房号', '换一个房号，或在同一张表里把那个房间也改掉')
      }
    }
  },
}

/** A building by its name, its code, or its short name: 3 is 3栋. */
function findBuildingCodesByName(mine: readonly BuildingWithUnits[], name: string): string[] {
  for (const test of [
    (b: BuildingWithUnits) => b.name === name,
    (b: BuildingWithUnits) => b.code === name,
    (b: BuildingWithUnits) => shortBuildingName(b.name) === shortBuildingName(name),
  ]) {
    const hit = mine.filter(test)
    if (hit.length) return hit.map(b => b.code)
  }
  return []
}

/**
 * Who stands in a line; nobody where all his cells are empty. Who is there from a later day on is known to
 * the room, and does not live in it yet.
 */
const personInRow = (
  line: number,
  row: ImportRow,
  roomId: number | undefined,
  today: Day,
): ImportedPerson | undefined =>
  row.userName || row.userMobile || row.userRelation
    ? {
        line,
        name: row.userName,
        mobile: row.userMobile,
        relation: row.userRelation,
        roomId,
        inDate: row.checkinDate && row.checkinDate <= today ? row.checkinDate : undefined,
      }
    : undefined

const areasInRow = (row: ImportRow): Partial<RoomAreas> =>
  Object.fromEntries(roomAreaKeys.flatMap(k => (row[k] === undefined ? [] : [[k, row[k]]])))

const planRowAreas = (row: ImportRow, there: ExistingRoom, today: Day): PlannedAreaChange[] =>
  planAreaChanges(
    there,
    there.steps,
    withFollowingChargeArea(there, areasInRow(row)),
    row.effectiveDate ?? today,
    changeItemLabel,
  )

function addReplaceFaults(
  row: ImportRow,
  there: ExistingRoom,
  today: Day,
  fault: (c: string, s: string, r: string) => void,
): void {
  try {
    planRowAreas(row, there, today)
  } catch (e) {
    if (!(e instanceof Refused)) throw e
    fault('effectiveDate', e.message, '改生效日期，或先撤销未生效的变更')
  }
  if (row.roomState !== undefined && row.roomState !== there.roomState) {
    const why = roomStateFault(
      { ...there, ...pickKeys(row, ['deliverDate', 'decorateBegin']) },
      row.roomState,
      '批量导入',
    )
    if (why) {
      fault('roomState', why, '改成允许的房态，或留空不改')
    }
  }
}

const pickKeys = (row: ImportRow, keys: readonly (keyof ImportRow)[]): object =>
  Object.fromEntries(keys.flatMap(k => (row[k] === undefined ? [] : [[k, row[k]]])))

type ReadyRows = readonly ReadyLine<RoomSheetRow, ExistingRoom>[]
type RoomImportInput = ImportRequest<{ projectCode: string }>
type Buildings = ReadonlyMap<string, BuildingWithUnits>

const pathInBuilding = (
  buildings: Buildings,
  row: { buildCode: string; unitName: string; floorNum: number; roomNo: string },
) =>
  pathAndSortKeyOf({
    building: defined(buildings.get(row.buildCode)).name,
    unit: row.unitName,
    floor: row.floorNum,
    roomNo: row.roomNo,
  })

const unstoredKeys = [
  'estateName',
  'newRoomNo',
  'effectiveDate',
  'userName',
  'userMobile',
  'userRelation',
] as const

const storedFields = (row: RoomSheetRow): object =>
  Object.fromEntries(Object.entries(row).filter(([k]) => !(unstoredKeys as readonly string[]).includes(k)))

async function addRooms(
  tx: Tx,
  { scope, more }: RoomImportInput,
  buildings: Buildings,
  fresh: ReadyRows,
  done: Map<number, LineResult>,
): Promise<void> {
  if (!fresh.length) return
  const codes = (
    await tx.rows<{ code: string }>(
      sql`select next_code('R') as code from generate_series(1, ${fresh.length}::int)`,
    )
  ).map(r => r.code)
  const added = await insertNew(
    tx,
    room,
    scope,
    fresh.map(({ row }, i) => ({
      roomType: 'home',
      roomState: 'unsold',
      state: 'on',
      feeRatio: '1',
      ...withChargeArea(storedFields(row)),
      projectCode: more.projectCode,
      code: row.code ?? codes[i],
      ...pathInBuilding(buildings, { ...row, floorNum: defined(row.floorNum) }),
    })),
    naturalKey,
  )
  for (const { line, row } of fresh) {
    done.set(
      line,
      added.has(roomKeyOf(row))
        ? { did: 'added', says: '已导入' }
        : { did: 'failed', says: '未导入：房号或房屋编码与别的房间重复' },
    )
  }
}

/**
 * What a line says goes in, an empty cell leaves what is there; areas by their day (BASE-7), states by their
 * moves (BASE-6).
 */
async function replaceRooms(
  tx: Tx,
  { scope, today }: RoomImportInput,
  buildings: Buildings,
  there: ReadyRows,
  done: Map<number, LineResult>,
): Promise<void> {
  if (!there.length) return
  const notes: RoomChangeEntry[] = []
  const late = new Set<number>()
  const values = there.map(({ row, existing: t, line }) => {
    const from = row.effectiveDate ?? today
    const plan = planRowAreas(row, defined(t), today)
    const applied = from <= today
    for (const p of plan) {
      notes.push({ ...p, room: defined(t), effectiveDate: from, reason: '批量导入', applied })
    }
    if (plan.length && !applied) {
      late.add(line)
    }
    if (row.roomState !== undefined && row.roomState !== defined(t).roomState) {
      notes.push({
        room: defined(t),
        item: 'roomState',
        oldValue: labelOf(roomState, defined(t).roomState),
        newValue: labelOf(roomState, row.roomState),
        effectiveDate: today,
        reason: '批量导入',
        applied: true,
      })
    }
    const areas = applied ? Object.fromEntries(plan.map(p => [p.item, p.newValue])) : {}
    const rest = Object.fromEntries(
      Object.entries(storedFields(row)).filter(([k]) => !(roomAreaKeys as readonly string[]).includes(k)),
    )
    const movedIn =
      row.roomState === 'lived' &&
      defined(t).roomState !== 'lived' &&
      !row.checkinDate &&
      !defined(t).checkinDate
        ? { checkinDate: today }
        : {}
    return {
      ...rest,
      ...areas,
      ...movedIn,
      code: defined(t).code,
      ...pathInBuilding(buildings, { ...row, floorNum: row.floorNum ?? defined(t).floorNum }),
    }
  })
  const { columns: cols, as } = recordsetOf(room, values)
  const set = cols.filter(c => c !== 'code')
  const project = defined(defined(there[0]).existing).projectCode
  const changed = new Set(
    (
      await tx.rows<{
        code: string
      }>(sql`
        update room as t
        set ${sql.join(set.map(c => sql`${sql.id(c)} = coalesce(r.${sql.id(c)}, t.${sql.id(c)})`))},
          ${touch(scope, 't')}
        from ${as}
        where t.owner_id = ${scope.ownerId}
          and t.project_code = ${project}
          and t.code = r.code
          and ${live('t')}
          and row(
            ${sql.join(set.map(c => sql`coalesce(r.${sql.id(c)}, t.${sql.id(c)})`))}
          ) is distinct from row(${sql.join(set.map(c => sql`t.${sql.id(c)}`))})
        returning t.code
      `)
    ).map(r => r.code),
  )
  await logRoomChanges(tx, scope, notes)
  for (const { line, existing: t } of there) {
    done.set(
      line,
      changed.has(defined(defined(t).code))
        ? { did: 'changed', says: '已覆盖' }
        : late.has(line)
          ? { did: 'changed', says: '已记下，到生效日期起按新面积' }
          : { did: 'skipped', says: '与系统里的一致，没有变化' },
    )
  }
}

/** Numbers may be exchanged among the lines: all leave their old number first. */
async function renumberRooms(
  tx: Tx,
  { scope, today }: RoomImportInput,
  buildings: Buildings,
  there: ReadyRows,
  done: Map<number, LineResult>,
): Promise<void> {
  const moved = there.filter(r => r.row.newRoomNo !== defined(r.existing).roomNo)
  for (const r of there) {
    done.set(
      r.line,
      moved.includes(r)
        ? { did: 'changed', says: `已改为 ${r.row.newRoomNo}` }
        : { did: 'skipped', says: '房号没有变化' },
    )
  }
  if (!moved.length) return
  const to = moved.map(({ row, existing: t }) => ({
    id: defined(t).id,
    no: defined(row.newRoomNo),
    ...pathInBuilding(buildings, { ...defined(t), roomNo: defined(row.newRoomNo) }),
  }))
  await tx.execute(
    sql`
      update room
      set room_no = '~' || id
      where owner_id = ${scope.ownerId} and id = any(${to.map(r => r.id)})
    `,
  )
  await tx.execute(sql`
    update room t
    set room_no = r.no, path = r.path, sort_key = r."sortKey", ${touch(scope, 't')}
    from jsonb_to_recordset(${JSON.stringify(to)}::jsonb) as r(
      id bigint, no text, path text, "sortKey" text
    )
    where t.owner_id = ${scope.ownerId} and t.id = r.id
  `)
  await logRoomChanges(
    tx,
    scope,
    moved.map(({ row, existing: t }) => ({
      room: defined(t),
      item: 'roomNo',
      oldValue: defined(t).roomNo,
      newValue: defined(row.newRoomNo),
      effectiveDate: today,
      reason: '批量改房号',
      applied: true,
    })),
  )
}
