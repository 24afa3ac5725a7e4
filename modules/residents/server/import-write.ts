import { columnOf } from '#kit/contract/entity.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Done, Ready } from '#kit/server/import-job.ts'
import { may } from '#kit/server/scope.ts'
import { columnsOf } from '#kit/server/stored.ts'
import type { Entity } from '#kit/contract/entity.ts'
import type { NamedRoom } from '#modules/rooms/server/public.ts'
import { residency } from '../contract/residency.ts'
import { resident } from '../contract/resident.ts'
import type { ResidentLine } from '../contract/transfer.ts'
import { applySource } from '../contract/words.ts'
import { completed } from '../domain/person.ts'
import { menu } from '../module.ts'
import { follow } from './follow.ts'
import { personKey, type In, type Row, type There } from './import-read.ts'
import { withMain, yieldPlaces } from './link.ts'
import { noteMoves, type Note } from './log.ts'
import { searchOf } from './person.ts'

type Ours = Ready<ResidentLine, There>

const homeKeys = [
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
const personIn = (row: Row): Row =>
  completed(
    Object.fromEntries(Object.entries(row).filter(([k]) => !(homeKeys as readonly string[]).includes(k))),
  )

const freshIds = async (tx: Tx, table: string, n: number): Promise<number[]> =>
  n
    ? (
        await tx.rows<{ id: number }>(
          sql`select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${n}::int)`,
        )
      ).map(r => r.id)
    : []

/** Rows with their ids said, as a set `r`. */
function setOf(
  e: Entity<any>,
  rows: readonly Readonly<Record<string, unknown>>[],
  more: Readonly<Record<string, string>> = {},
) {
  const keys = [...new Set(rows.flatMap(r => Object.keys(r)))].filter(k => !(k in more) && k !== 'id')
  const first = Object.fromEntries(keys.map(k => [k, undefined]))
  const shape = columnsOf(e, first)
  const all = rows.map(r => ({
    id: r.id,
    ...Object.fromEntries(Object.keys(more).map(k => [columnOf(k), r[k] ?? null])),
    ...Object.fromEntries(
      columnsOf(e, { ...first, ...r }).map(c => [
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

async function put(
  tx: Tx,
  e: Entity<any>,
  c: In,
  rows: readonly Readonly<Record<string, unknown>>[],
  more: Readonly<Record<string, string>> = {},
): Promise<Set<number>> {
  if (!rows.length) return new Set()
  const { columns, as } = setOf(e, rows, more)
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
export async function writeLines(
  tx: Tx,
  ask: In,
  mode: string,
  ready: readonly Ours[],
  roomOf: (row: Row) => NamedRoom | undefined,
): Promise<ReadonlyMap<number, Done>> {
  const {
    scope,
    today,
    more: { projectCode },
  } = ask
  const owner = scope.ownerId
  const done = new Map<number, Done>()
  const who = new Map<number, { id: number; name: string }>()
  const rooms = [...new Set(ready.flatMap(r => roomOf(r.row)?.id ?? []))]
  await tx.rows(
    sql`
      select id
      from room
      where owner_id = ${owner} and id = any(${rooms}) and delete_tag = 0
      order by id
      for update
    `,
  )

  const fresh = [
    ...Map.groupBy(
      ready.filter(r => !r.there),
      r => personKey(r.row) ?? `line ${r.line}`,
    ).values(),
  ]
  const ids = await freshIds(tx, 'resident', fresh.length)
  const values = fresh.map((lines, i) => {
    const p = Object.assign({}, ...lines.toReversed().map(l => personIn(l.row))) as Row & { name: string }
    return {
      ...p,
      id: ids[i]!,
      homeProject: projectCode,
      userType: 'person',
      source: 'import',
      state: 'normal',
      gender: p.gender ?? 'unknown',
      wechatBind: false,
      appBind: false,
      searchText: searchOf(p as never),
    }
  })
  const made = await put(tx, resident, ask, values, { searchText: 'text' })
  for (const [i, lines] of fresh.entries()) {
    for (const l of lines) {
      if (made.has(ids[i]!)) {
        who.set(l.line, { id: ids[i]!, name: l.row.name })
        done.set(l.line, { did: 'added', says: '已导入' })
      } else {
        done.set(l.line, { did: 'failed', says: '手机号或证件号刚刚被别人登记，请重新导入这一行' })
      }
    }
  }

  const known = ready.filter(r => r.there)
  for (const l of known) {
    who.set(l.line, l.there!.person)
    done.set(l.line, { did: 'skipped', says: l.there!.link ? '已有此住户，已跳过' : '已有此住户' })
  }
  if (mode === 'update') {
    await changePeople(tx, ask, known, done)
  }

  const placed = ready.flatMap(l => {
    const r = roomOf(l.row)
    const p = who.get(l.line)
    return r && p ? [{ l, r, p }] : []
  })
  const asks = placed.filter(x => !x.l.there?.link)
  const mains = await withMain(tx, owner, rooms)
  for (const x of placed) {
    if (x.l.row.isMain) {
      mains.add(x.r.id)
    }
  }
  const status = may(scope, menu.link.may.audit) ? ('living' as const) : ('pending' as const)
  const linkIds = await freshIds(tx, 'user_room', asks.length)
  const links = asks.map(({ l: { row }, r, p }, i) => {
    const first = status === 'living' && row.relation === 'owner' && !mains.has(r.id)
    if (first) {
      mains.add(r.id)
    }
    return {
      id: linkIds[i]!,
      projectCode,
      userId: p.id,
      roomId: r.id,
      buildCode: r.buildCode,
      relation: row.relation!,
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
    await yieldPlaces(tx, scope, [
      ...links,
      ...(mode === 'update'
        ? placed
            .filter(x => x.l.there?.link?.status === 'living')
            .map(x => ({
              roomId: x.r.id,
              isMain: x.l.row.isMain === true && !x.l.there!.link!.isMain,
              isPayer: x.l.row.isPayer === true && !x.l.there!.link!.isPayer,
            }))
        : []),
    ])
  }
  const linked = await put(tx, residency, ask, links)
  for (const [i, { l }] of asks.entries()) {
    if (!linked.has(linkIds[i]!)) {
      done.set(l.line, { did: 'failed', says: '该住户刚刚被登记在此房间' })
    } else if (l.there) {
      done.set(l.line, { did: 'added', says: '已有此住户，已关联房屋' })
    }
  }
  if (mode === 'update') {
    await changeLinks(
      tx,
      ask,
      placed.filter(x => x.l.there?.link).map(x => x.l),
      done,
    )
  }
  await noteMoves(
    tx,
    scope,
    links.flatMap((v, i): Note[] =>
      linked.has(v.id)
        ? [
            {
              link: v,
              userName: asks[i]!.p.name,
              action: status === 'pending' ? 'applied' : v.inDate ? 'movedIn' : 'added',
              day: v.inDate ?? today,
              detail: `批量导入（${applySource.rows.import[1]}）`,
            },
          ]
        : [],
    ),
  )
  await follow(tx, scope, rooms, { today, reason: '批量导入' })
  return done
}

/** What lines say of known people goes in; an empty cell leaves what is there. */
async function changePeople(tx: Tx, c: In, lines: readonly Ours[], done: Map<number, Done>): Promise<void> {
  const groups = [...Map.groupBy(lines, l => l.there!.person.id).values()]
  if (!groups.length) return
  const values = groups.map(g => {
    const was = g[0]!.there!.person
    const said = Object.assign({}, ...g.toReversed().map(l => personIn(l.row))) as Row
    return { ...said, id: was.id, searchText: searchOf({ ...was, ...said } as never) }
  })
  const { columns, as } = setOf(resident, values, { searchText: 'text' })
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
          and t.delete_tag = 0
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
        changed.has(g[0]!.there!.person.id)
          ? { did: 'changed', says: '已覆盖' }
          : { did: 'skipped', says: '与系统里的一致，没有变化' },
      )
    }
  }
}

async function changeLinks(tx: Tx, c: In, lines: readonly Ours[], done: Map<number, Done>): Promise<void> {
  if (!lines.length) return
  const { columns, as } = setOf(
    residency,
    lines.map(({ row, there }) => ({
      id: there!.link!.id,
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
          and t.status in (10, 20)
          and row(
            ${sql.join(columns.map(x => sql`coalesce(r.${sql.id(x)}, t.${sql.id(x)})`))}
          ) is distinct from row(${sql.join(columns.map(x => sql`t.${sql.id(x)}`))})
        returning t.id
      `)
    ).map(r => r.id),
  )
  for (const l of lines) {
    if (changed.has(l.there!.link!.id)) {
      done.set(l.line, { did: 'changed', says: '已覆盖' })
    }
  }
}
