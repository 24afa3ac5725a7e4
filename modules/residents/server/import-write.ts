import { defined } from '#kit/domain/defined.ts'
import { columnOf } from '#kit/contract/entity.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { LineResult, ReadyLine } from '#kit/server/sheet-import.ts'
import { hasPermission } from '#kit/server/scope.ts'
import { columnValues } from '#kit/server/column-storage.ts'
import { live, codes } from '#kit/server/sql.ts'
import type { Entity } from '#kit/contract/entity.ts'
import type { SheetRoom } from '#modules/rooms/server/public.ts'
import { residency } from '../contract/residency.ts'
import { resident } from '../contract/resident.ts'
import type { ResidentSheetRow } from '../contract/import-export.ts'
import { applySource, residencyStatus } from '../contract/labels.ts'
import { completeFromCert } from '../domain/person.ts'
import { menu } from '../module.ts'
import { syncRoomOccupancy } from './room-occupancy.ts'
import { personKey, type ResidentImportInput, type ImportRow, type ExistingResident } from './import-read.ts'
import { findRoomsWithMainOwner, releaseMainAndPayer } from './residency-links.ts'
import { logResidencyChanges, type ResidencyLogEntry } from './residency-log.ts'
import { residentSearchText } from './resident-record.ts'

type ReadyRow = ReadyLine<ResidentSheetRow, ExistingResident>

const residencyKeys = [
  'buildCode',
  'unitName',
  'roomNo',
  'relation',
  'isMain',
  'isPayer',
  'inDate',
  'leaseBegin',
  'leaseEnd',
] as const

/** What a line says of the person. */
const personFieldsOf = (row: ImportRow): ImportRow =>
  completeFromCert(
    Object.fromEntries(
      Object.entries(row).filter(([k]) => !(residencyKeys as readonly string[]).includes(k)),
    ),
  )

const reserveIds = async (tx: Tx, table: string, n: number): Promise<number[]> =>
  n
    ? (
        await tx.rows<{ id: number }>(
          sql`select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${n}::int)`,
        )
      ).map(r => r.id)
    : []

/** Rows with their ids said, as a set `r`. */
function recordsetWithIds(
  e: Entity<any>,
  rows: readonly Readonly<Record<string, unknown>>[],
  more: Readonly<Record<string, string>> = {},
) {
  const keys = [...new Set(rows.flatMap(r => Object.keys(r)))].filter(k => !(k in more) && k !== 'id')
  const first = Object.fromEntries(keys.map(k => [k, undefined]))
  const shape = columnValues(e, first)
  const all = rows.map(r => ({
    id: r.id,
    ...Object.fromEntries(Object.keys(more).map(k => [columnOf(k), r[k] ?? null])),
    ...Object.fromEntries(
      columnValues(e, { ...first, ...r }).map(c => [
        c[0],
        c[2] === 'jsonb' && typeof c[1] === 'string' ? (JSON.parse(c[1]) as unknown) : c[1],
      ]),
    ),
  }))
  const cols = [
    ...shape.map(c => [c[0], c[2]] as const),
    ...Object.entries(more).map(([k, t]) => [columnOf(k), t] as const),
  ]
  return {
    columns: cols.map(c => c[0]),
    as: sql`jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as r(
      id bigint, ${sql.join(cols.map(([c, t]) => sql`${sql.id(c)} ${sql.raw(t)}`))}
    )`,
  }
}

async function insertRows(
  tx: Tx,
  e: Entity<any>,
  c: ResidentImportInput,
  rows: readonly Readonly<Record<string, unknown>>[],
  more: Readonly<Record<string, string>> = {},
): Promise<Set<number>> {
  if (!rows.length) return new Set()
  const { columns, as } = recordsetWithIds(e, rows, more)
  const made = await tx.rows<{
    id: number
  }>(sql`
    insert into ${sql.table(e.table)} (
      owner_id, create_by, update_by, id, ${sql.join(columns.map(x => sql.id(x)))}
    )
    select ${c.scope.ownerId}::bigint, ${c.scope.operatorId}::bigint, ${c.scope.operatorId}::bigint, r.id,
      ${sql.join(columns.map(x => sql`r.${sql.id(x)}`))}
    from ${as}
    on conflict do nothing
    returning id
  `)
  return new Set(made.map(r => r.id))
}

/**
 * New people, changed ones, their links, what rooms know of them: statements over sets. A person of several
 * lines is written once.
 */
export async function writeImportRows(
  tx: Tx,
  ask: ResidentImportInput,
  mode: string,
  ready: readonly ReadyRow[],
  roomOf: (row: ImportRow) => SheetRoom | undefined,
): Promise<ReadonlyMap<number, LineResult>> {
  const {
    scope,
    today,
    more: { projectCode },
  } = ask
  const owner = scope.ownerId
  const done = new Map<number, LineResult>()
  const who = new Map<number, { id: number; name: string }>()
  const rooms = [...new Set(ready.flatMap(r => roomOf(r.row)?.id ?? []))]
  await tx.rows(
    sql`
      select id
      from room
      where owner_id = ${owner} and id = any(${rooms}) and ${live()}
      order by id
      for update
    `,
  )

  const fresh = [
    ...Map.groupBy(
      ready.filter(r => !r.existing),
      r => personKey(r.row) ?? `line ${r.line}`,
    ).values(),
  ]
  const ids = await reserveIds(tx, 'resident', fresh.length)
  const values = fresh.map((lines, i) => {
    const p = Object.assign({}, ...lines.toReversed().map(l => personFieldsOf(l.row))) as ImportRow & {
      name: string
    }
    return {
      ...p,
      id: defined(ids[i]),
      homeProject: projectCode,
      userType: 'person',
      source: 'import',
      state: 'normal',
      gender: p.gender ?? 'unknown',
      wechatBind: false,
      appBind: false,
      searchText: residentSearchText(p),
    }
  })
  const made = await insertRows(tx, resident, ask, values, { searchText: 'text' })
  for (const [i, lines] of fresh.entries()) {
    for (const l of lines) {
      if (made.has(defined(ids[i]))) {
        who.set(l.line, { id: defined(ids[i]), name: l.row.name })
        done.set(l.line, { did: 'added', says: '已导入' })
      } else {
        done.set(l.line, { did: 'failed', says: '手机号或证件号刚刚被别人登记，请重新导入这一行' })
      }
    }
  }

  const known = ready.filter(r => r.existing)
  for (const l of known) {
    who.set(l.line, defined(l.existing).person)
    done.set(l.line, { did: 'skipped', says: defined(l.existing).link ? '已有此住户，已跳过' : '已有此住户' })
  }
  if (mode === 'update') {
    await updateResidents(tx, ask, known, done)
  }

  const placed = ready.flatMap(l => {
    const r = roomOf(l.row)
    const p = who.get(l.line)
    return r && p ? [{ l, r, p }] : []
  })
  const asks = placed.filter(x => !x.l.existing?.link)
  const mains = await findRoomsWithMainOwner(tx, owner, rooms)
  for (const x of placed) {
    if (x.l.row.isMain) {
      mains.add(x.r.id)
    }
  }
  const status = hasPermission(scope, menu.link.permissions.audit)
    ? ('living' as const)
    : ('pending' as const)
  const linkIds = await reserveIds(tx, 'user_room', asks.length)
  const links = asks.map(({ l: { row }, r, p }, i) => {
    const first = status === 'living' && row.relation === 'owner' && !mains.has(r.id)
    if (first) {
      mains.add(r.id)
    }
    return {
      id: defined(linkIds[i]),
      projectCode,
      userId: p.id,
      roomId: r.id,
      buildCode: r.buildCode,
      relation: defined(row.relation),
      isMain: first || (row.isMain ?? false),
      isPayer: row.isPayer ?? false,
      inDate: row.inDate,
      leaseBegin: row.leaseBegin,
      leaseEnd: row.leaseEnd,
      status,
      applySource: 'import' as const,
    }
  })
  if (status === 'living') {
    await releaseMainAndPayer(tx, scope, [
      ...links,
      ...(mode === 'update'
        ? placed
            .filter(x => x.l.existing?.link?.status === 'living')
            .map(x => ({
              roomId: x.r.id,
              isMain: x.l.row.isMain === true && !defined(defined(x.l.existing).link).isMain,
              isPayer: x.l.row.isPayer === true && !defined(defined(x.l.existing).link).isPayer,
            }))
        : []),
    ])
  }
  const linked = await insertRows(tx, residency, ask, links)
  for (const [i, { l }] of asks.entries()) {
    if (!linked.has(defined(linkIds[i]))) {
      done.set(l.line, { did: 'failed', says: '该住户刚刚被登记在此房间' })
    } else if (l.existing) {
      done.set(l.line, { did: 'added', says: '已有此住户，已关联房屋' })
    }
  }
  if (mode === 'update') {
    await updateResidencies(
      tx,
      ask,
      placed.filter(x => x.l.existing?.link).map(x => x.l),
      done,
    )
  }
  await logResidencyChanges(
    tx,
    scope,
    links.flatMap((v, i): ResidencyLogEntry[] =>
      linked.has(v.id)
        ? [
            {
              residency: v,
              userName: defined(asks[i]).p.name,
              action: status === 'pending' ? 'applied' : v.inDate ? 'movedIn' : 'added',
              day: v.inDate ?? today,
              detail: `批量导入（${applySource.rows.import[1]}）`,
            },
          ]
        : [],
    ),
  )
  await syncRoomOccupancy(tx, scope, rooms, { today, reason: '批量导入' })
  return done
}

/** What lines say of known people goes in; an empty cell leaves what is there. */
async function updateResidents(
  tx: Tx,
  c: ResidentImportInput,
  lines: readonly ReadyRow[],
  done: Map<number, LineResult>,
): Promise<void> {
  const groups = [...Map.groupBy(lines, l => defined(l.existing).person.id).values()]
  if (!groups.length) return
  const values = groups.map(g => {
    const was = defined(defined(g[0]).existing).person
    const said = Object.assign({}, ...g.toReversed().map(l => personFieldsOf(l.row))) as ImportRow
    return { ...said, id: was.id, searchText: residentSearchText({ ...was, ...said }) }
  })
  const { columns, as } = recordsetWithIds(resident, values, { searchText: 'text' })
  const changed = new Set(
    (
      await tx.rows<{
        id: number
      }>(sql`
        update resident as t
        set ${sql.join(columns.map(x => sql`${sql.id(x)} = coalesce(r.${sql.id(x)}, t.${sql.id(x)})`))},
          version = t.version + 1, update_time = now(), update_by = ${c.scope.operatorId}
        from ${as}
        where t.owner_id = ${c.scope.ownerId}
          and t.id = r.id
          and ${live('t')}
          and row(
            ${sql.join(columns.map(x => sql`coalesce(r.${sql.id(x)}, t.${sql.id(x)})`))}
          ) is distinct from row(${sql.join(columns.map(x => sql`t.${sql.id(x)}`))})
        returning t.id
      `)
    ).map(r => r.id),
  )
  for (const g of groups) {
    for (const l of g) {
      done.set(
        l.line,
        changed.has(defined(defined(g[0]).existing).person.id)
          ? { did: 'changed', says: '已覆盖' }
          : { did: 'skipped', says: '与系统里的一致，没有变化' },
      )
    }
  }
}

async function updateResidencies(
  tx: Tx,
  c: ResidentImportInput,
  lines: readonly ReadyRow[],
  done: Map<number, LineResult>,
): Promise<void> {
  if (!lines.length) return
  const { columns, as } = recordsetWithIds(
    residency,
    lines.map(({ row, existing }) => ({
      id: defined(defined(existing).link).id,
      relation: row.relation,
      isMain: row.isMain,
      isPayer: row.isPayer,
      inDate: row.inDate,
      leaseBegin: row.leaseBegin,
      leaseEnd: row.leaseEnd,
    })),
  )
  const changed = new Set(
    (
      await tx.rows<{
        id: number
      }>(sql`
        update user_room as t
        set ${sql.join(columns.map(x => sql`${sql.id(x)} = coalesce(r.${sql.id(x)}, t.${sql.id(x)})`))},
          version = t.version + 1, update_time = now(), update_by = ${c.scope.operatorId}
        from ${as}
        where t.owner_id = ${c.scope.ownerId}
          and t.id = r.id
          and t.status in ${codes(residencyStatus, 'pending', 'living')}
          and row(
            ${sql.join(columns.map(x => sql`coalesce(r.${sql.id(x)}, t.${sql.id(x)})`))}
          ) is distinct from row(${sql.join(columns.map(x => sql`t.${sql.id(x)}`))})
        returning t.id
      `)
    ).map(r => r.id),
  )
  for (const l of lines) {
    if (changed.has(defined(defined(l.existing).link).id)) {
      done.set(l.line, { did: 'changed', says: '已覆盖' })
    }
  }
}
