import { defined } from '#kit/domain/defined.ts'
import { naturalSortKey } from '#kit/domain/natural-sort-key.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { ImportRequest, LineResult, ImportDefinition, ReadyLine } from '#kit/server/sheet-import.ts'
import { insertNew, keyText, recordsetOf, findAll } from '#kit/server/table.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { live, touch } from '#kit/server/sql.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { park, type Park } from '../contract/park.ts'
import { parkPlace, type ParkPlace } from '../contract/park-place.ts'
import {
  importPlaces,
  importProjectInput,
  placeSheet,
  type PlaceSheetRow,
} from '../contract/import-export.ts'
import { placeDateFault, placeStateFault } from '../domain/place-state.ts'

type ExistingPlace = Pick<
  ParkPlace,
  'id' | 'code' | 'parkId' | 'placeNo' | 'placeState' | 'parentPlaceId' | 'beginDate' | 'endDate'
>

type ImportRow = Partial<PlaceSheetRow>
const naturalKey = ['parkId', 'placeNo'] as const

const existingColumns = sql.raw(
  't.id, t.code, t.park_id, t.place_no, t.place_state, t.parent_place_id, t.begin_date, t.end_date',
)

/**
 * Places under the numbers and codes that lines say, their mothers among them; held where they will be
 * changed.
 */
async function findExistingPlaces(
  db: Db,
  owner: number,
  project: string,
  keys: readonly (readonly [number, string])[],
  codes: readonly string[],
  hold: boolean,
): Promise<ExistingPlace[]> {
  const inProject = sql`t.owner_id = ${owner} and t.project_code = ${project} and ${live('t')}`
  const held = hold ? sql`order by t.id for update of t` : sql``
  const [byNo, byCode] = await db.all<[Record<string, unknown>, Record<string, unknown>]>(
    sql`
      select ${existingColumns}
      from park_place t
      join (
        select distinct *
        from unnest(${keys.map(k => k[0])}::bigint[], ${keys.map(k => k[1])}::text[]) as k(p, n)
      ) k on t.park_id = k.p
        and t.place_no = k.n
      where ${inProject} ${held}
    `,
    sql`select ${existingColumns} from park_place t where ${inProject} and t.code = any(${[...codes]}) ${held}`,
  )
  return [...byNo, ...byCode].map(r => toEntityRow(parkPlace, r))
}

export const placeImporter: ImportDefinition<PlaceSheetRow, typeof importProjectInput, ExistingPlace> = {
  kind: 'parking.place',
  calls: importPlaces,
  sheet: placeSheet,
  templateOptions: async (db, { scope, more }) => ({
    parkId: (await findAll(db, park, scope, more)).map(p => p.name),
  }),
  openSession: async (db, ask, lines, lock) => {
    const {
      scope,
      more: { projectCode },
      mode,
    } = ask
    const lots = await findParks(db, scope.ownerId, projectCode, lock)
    const said = [...new Set(lines.flatMap(l => l.referenceNames.roomCode ?? []))]
    const rooms = said.length
      ? await findAll(
          db,
          room,
          scope,
          { projectCode },
          {
            where: [sql`(t.path = any(${said}) or t.code = any(${said}))`],
            keys: ['code', 'path'],
            limit: 40_000,
          },
        )
      : []
    const roomsBy = new Map<string, Set<string>>()
    for (const r of rooms) {
      for (const name of [r.path, defined(r.code)]) {
        roomsBy.set(name, (roomsBy.get(name) ?? new Set()).add(defined(r.code)))
      }
    }
    const byNo = new Map<string, ExistingPlace>()
    const byCode = new Map<string, ExistingPlace>()
    const inFile = new Map<string, ImportRow>()
    const motherKey = (row: ImportRow): string =>
      keyText({ parkId: row.parkId, placeNo: row.parentPlaceNo }, naturalKey)
    return {
      findReferences: (key, name) =>
        key === 'parkId'
          ? lots.filter(p => p.name === name || p.code === name).map(p => p.id)
          : key === 'roomCode'
            ? [...(roomsBy.get(name) ?? [])]
            : [],
      findExisting: async settled => {
        const whole = settled.filter(l => l.row.parkId && l.row.placeNo)
        for (const l of whole) {
          inFile.set(keyText(l.row, naturalKey), l.row)
        }
        const keys = [
          ...whole.map(l => [defined(l.row.parkId), defined(l.row.placeNo)] as const),
          ...whole.flatMap(l =>
            l.row.parentPlaceNo ? [[defined(l.row.parkId), l.row.parentPlaceNo] as const] : [],
          ),
        ]
        for (const p of await findExistingPlaces(
          db,
          scope.ownerId,
          projectCode,
          keys,
          settled.flatMap(l => l.row.code ?? []),
          lock && mode !== 'skip',
        )) {
          byNo.set(keyText(p, naturalKey), p)
          byCode.set(defined(p.code), p)
        }
        return new Map(
          whole.flatMap(l => {
            const t = byNo.get(keyText(l.row, naturalKey))
            return t ? [[l.line, t] as const] : []
          }),
        )
      },
      checkRow: (row, there) => {
        const faults: { column: string; says: string; remedy: string }[] = []
        const fault = (column: string, says: string, remedy: string): void => {
          faults.push({ column, says, remedy })
        }
        const coded = row.code === undefined ? undefined : byCode.get(row.code)
        if (there && row.code !== undefined && row.code !== there.code) {
          fault('code', `该车位的编码是「${there.code}」，不能修改`, '改回原来的编码，或留空')
        } else if (!there && coded) {
          fault('code', `车位编码已用于车位「${coded.placeNo}」`, '换一个编码，或留空自动生成')
        }
        const dates = placeDateFault({ ...there, ...row })
        if (dates) {
          fault('endDate', dates, '核对起止日期')
        }
        if (
          there &&
          mode === 'update' &&
          row.placeState !== undefined &&
          row.placeState !== there.placeState
        ) {
          const why = placeStateFault({ ...there, ...row }, row.placeState, false)
          if (why) {
            fault('placeState', why, '改成允许的状态，或留空不改')
          }
        }
        if (row.parentPlaceNo !== undefined) {
          const mother = inFile.get(motherKey(row))
          const stands = byNo.get(motherKey(row))
          if (row.parentPlaceNo === row.placeNo) {
            fault('parentPlaceNo', '车位不能是自己的母车位', '改填另一个车位号，或留空')
          } else if (!mother && !stands) {
            fault(
              'parentPlaceNo',
              `该停车场没有车位「${row.parentPlaceNo}」`,
              '先新增母车位，或把它也写进表里',
            )
          } else if (mother?.parentPlaceNo || stands?.parentPlaceId) {
            fault('parentPlaceNo', `「${row.parentPlaceNo}」自己就是子车位`, '改填母车位')
          }
        }
        return faults
      },
      apply: async (tx, ready) => {
        const done = new Map<number, LineResult>()
        const there = ready.filter(r => r.existing)
        const fresh = ready.filter(r => !r.existing)
        await addPlaces(tx, ask, fresh, done)
        if (mode === 'update') {
          await updatePlaces(tx, ask, there, done)
        } else {
          for (const r of there) {
            done.set(r.line, { did: 'skipped', says: '已有此车位，已跳过' })
          }
        }
        await linkParentPlaces(tx, ask, mode === 'update' ? ready : fresh)
        return done
      },
    }
  },
}

const findParks = (
  db: Db,
  owner: number,
  project: string,
  lock: boolean,
): Promise<Pick<Park, 'id' | 'name' | 'code'>[]> =>
  db.rows(
    sql`
      select id, name, code
      from park
      where owner_id = ${owner}
        and project_code = ${project}
        and ${live()} ${lock ? sql`for share` : sql``}
    `,
  )

type PlaceImportInput = ImportRequest<{ projectCode: string }>
type ReadyRows = readonly ReadyLine<PlaceSheetRow, ExistingPlace>[]
const storedFields = ({ parentPlaceNo: _, ...row }: PlaceSheetRow): Omit<PlaceSheetRow, 'parentPlaceNo'> =>
  row

async function addPlaces(
  tx: Tx,
  { scope, more }: PlaceImportInput,
  fresh: ReadyRows,
  done: Map<number, LineResult>,
): Promise<void> {
  if (!fresh.length) return
  const codes = (
    await tx.rows<{ code: string }>(
      sql`select next_code('C') as code from generate_series(1, ${fresh.length}::int)`,
    )
  ).map(r => r.code)
  const added = await insertNew(
    tx,
    parkPlace,
    scope,
    fresh.map(({ row }, i) => ({
      placeType: 'plain',
      placeState: 'free',
      carLimit: 1,
      ...storedFields(row),
      projectCode: more.projectCode,
      code: row.code ?? codes[i],
      sortKey: naturalSortKey(row.placeNo),
    })),
    naturalKey,
  )
  for (const { line, row } of fresh) {
    done.set(
      line,
      added.has(keyText(row, naturalKey))
        ? { did: 'added', says: '已导入' }
        : { did: 'failed', says: '未导入：车位号或车位编码与别的车位重复' },
    )
  }
}

/** What a line says goes in, an empty cell leaves what is there. */
async function updatePlaces(
  tx: Tx,
  { scope, more }: PlaceImportInput,
  there: ReadyRows,
  done: Map<number, LineResult>,
): Promise<void> {
  if (!there.length) return
  const { columns: cols, as } = recordsetOf(
    parkPlace,
    there.map(({ row, existing: t }) => ({ ...storedFields(row), code: defined(t).code })),
  )
  const set = cols.filter(c => !['code', 'park_id', 'place_no'].includes(c))
  const changed = set.length
    ? new Set(
        (
          await tx.rows<{
            code: string
          }>(sql`
            update park_place as t
            set ${sql.join(set.map(c => sql`${sql.id(c)} = coalesce(r.${sql.id(c)}, t.${sql.id(c)})`))},
              ${touch(scope, 't')}
            from ${as}
            where t.owner_id = ${scope.ownerId}
              and t.project_code = ${more.projectCode}
              and t.code = r.code
              and ${live('t')}
              and row(
                ${sql.join(set.map(c => sql`coalesce(r.${sql.id(c)}, t.${sql.id(c)})`))}
              ) is distinct from row(${sql.join(set.map(c => sql`t.${sql.id(c)}`))})
            returning t.code
          `)
        ).map(r => r.code),
      )
    : new Set<string>()
  for (const { line, existing: t } of there) {
    done.set(
      line,
      changed.has(defined(defined(t).code))
        ? { did: 'changed', says: '已覆盖' }
        : { did: 'skipped', says: '与系统里的一致，没有变化' },
    )
  }
}

/** Mothers by number, once all of the file stand there. */
async function linkParentPlaces(tx: Tx, { scope }: PlaceImportInput, ready: ReadyRows): Promise<void> {
  const pairs = ready.flatMap(({ row }) =>
    row.parentPlaceNo ? [{ p: row.parkId, n: row.placeNo, m: row.parentPlaceNo }] : [],
  )
  if (!pairs.length) return
  await tx.execute(sql`
    update park_place c
    set parent_place_id = m.id
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as r(p bigint, n text, m text)
    join park_place m on m.owner_id = ${scope.ownerId}
      and m.park_id = r.p
      and m.place_no = r.m
      and ${live('m')}
    where c.owner_id = ${scope.ownerId}
      and c.park_id = r.p
      and c.place_no = r.n
      and ${live('c')}
      and c.parent_place_id is distinct from m.id
  `)
}
