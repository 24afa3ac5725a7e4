import { createHash } from 'node:crypto'
import { codeOf } from '#kit/contract/field.ts'
import { nameOf, stale, wrong } from '#kit/contract/wire.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, remove, rows, update, whole } from '#kit/server/table.ts'
import {
  docType,
  dropPrint,
  paper,
  printEditions,
  printSettings,
  propertyPrint,
  putPrint,
  type Paper,
  type PropertyPrint,
} from '../contract/print.ts'
import { printFaults, settingOf, type DocType, type PrintSetting } from '../domain/print.ts'

const kinds = Object.keys(docType.rows) as DocType[]
const keys = Object.keys(paper) as (keyof Paper)[]

/** Only what a sheet needs, in one order: the same content is the same text. */
const body = (s: object): Paper =>
  Object.fromEntries(
    keys.flatMap(k => {
      const v = (s as Record<string, unknown>)[k]
      return v === undefined || v === null ? [] : [[k, v]]
    }),
  ) as unknown as Paper

interface Heading {
  readonly companyName?: string | undefined
  readonly companyLogo?: string | undefined
  readonly estateName?: string | undefined
}

async function headingOf(db: Db, owner: number, estate: string | undefined): Promise<Heading> {
  return (
    (await db.one<Heading>(
      sql`
        select p.company_name, p.logo as company_logo, e.name as estate_name
        from property p
        left join estate e on e.owner_id = p.owner_id
          and e.project_code = ${estate ?? ''}
          and e.delete_tag = 0
        where p.owner_id = ${owner} and p.delete_tag = 0
      `,
    )) ?? {}
  )
}

/** What was saved for a project and for the company; the project's own is the nearer. */
async function saved(
  db: Db,
  scope: Scope,
  estate: string | undefined,
): Promise<ReadonlyMap<DocType, PropertyPrint>> {
  const all = (await rows(db, propertyPrint, scope)).filter(r => !r.estateCode || r.estateCode === estate)
  return new Map(
    all
      .toSorted((a, b) => Number(Boolean(a.estateCode)) - Number(Boolean(b.estateCode)))
      .map(r => [r.docType, r]),
  )
}

/** How a project prints a kind of document now: as it or its company saved it, or as shipped. */
export async function paperOf(
  db: Db,
  scope: Scope,
  kind: DocType,
  estate: string | undefined,
): Promise<Paper> {
  return body({
    ...((await saved(db, scope, estate)).get(kind) ?? settingOf(kind)),
    ...(await headingOf(db, scope.ownerId, estate)),
  })
}

/** Templates by kind and project, each asked once. */
export async function papersOf(
  db: Db,
  scope: Scope,
  wanted: readonly (readonly [kind: DocType, estate: string])[],
): Promise<(kind: DocType, estate: string) => Paper> {
  const found = new Map<string, Paper>()
  for (const estate of new Set(wanted.map(w => w[1]))) {
    const had = await saved(db, scope, estate)
    const heading = await headingOf(db, scope.ownerId, estate)
    for (const [k, e] of wanted) {
      if (e === estate) {
        found.set(`${k}/${e}`, body({ ...(had.get(k) ?? settingOf(k)), ...heading }))
      }
    }
  }
  return (k, e) => found.get(`${k}/${e}`)!
}

/** The version that this content is, kept from now on; the same content is the same version. */
export async function editionOf(
  tx: Tx,
  scope: Scope,
  kind: DocType,
  estate: string,
  p: Paper,
  at?: Moment,
): Promise<number> {
  const text = JSON.stringify(body(p))
  const digest = createHash('sha256').update(text).digest('hex')
  return (await tx.one<{
    id: number
  }>(sql`
    insert into print_edition (owner_id, estate_code, doc_type, digest, body, saved_at, saved_by)
    values (
      ${scope.ownerId}, ${estate}, ${codeOf(docType, kind)}, ${digest}, ${text}::jsonb, ${at ?? null},
      ${at ? scope.name : null}
    )
    on conflict (owner_id, estate_code, doc_type, digest) do update set saved_at = coalesce(
      excluded.saved_at, print_edition.saved_at
    ),
      saved_by = coalesce(excluded.saved_by, print_edition.saved_by)
    returning id
  `))!.id
}

export async function editions(
  db: Db,
  owner: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Paper>> {
  return new Map(
    ids.length
      ? (
          await db.rows<{ id: number; body: Paper }>(
            sql`select id, body from print_edition where owner_id = ${owner} and id = any(${ids})`,
          )
        ).map(e => [e.id, e.body])
      : [],
  )
}

const found = (
  tx: Tx,
  owner: number,
  kind: DocType,
  estate: string | undefined,
): Promise<{ id: number } | undefined> =>
  tx.one(
    sql`
      select id
      from property_print
      where owner_id = ${owner}
        and doc_type = ${codeOf(docType, kind)}
        and coalesce(estate_code, '') = ${estate ?? ''}
        and delete_tag = 0
      for update
    `,
  )

export const printHandlers = [
  reads(printSettings, async ({ estateCode }, { db, scope, world }) => {
    const had = await saved(db, scope, estateCode)
    const heading = await headingOf(db, scope.ownerId, estateCode)
    const now = fromInstant(world.clock())
    return kinds.map(k => ({
      ...(had.get(k) ?? { ...settingOf(k), version: 0, createTime: now, updateTime: now }),
      ...heading,
    }))
  }),
  writes(putPrint, async ({ id: _, version, ...draft }, { tx, scope, now }) => {
    const faults = Object.entries(printFaults(draft as PrintSetting))
    if (faults.length)
      throw wrong(
        faults.map(([k, Message]) => ({
          Field: nameOf(k, propertyPrint.fields[k as 'title'], putPrint.input),
          Message,
        })),
      )
    // Found by its kind, whoever saved it first; a save that knew of no row does not write over one.
    const had = await found(tx, scope.ownerId, draft.docType, draft.estateCode)
    if (!had && version) throw stale()
    const row: PropertyPrint = had
      ? await update(tx, propertyPrint, scope, had.id, whole(putPrint.input, draft), {
          version: version ?? 0,
        })
      : await insert(tx, propertyPrint, scope, draft)
    await editionOf(
      tx,
      scope,
      row.docType,
      row.estateCode ?? '',
      body({ ...row, ...(await headingOf(tx, scope.ownerId, row.estateCode)) }),
      now,
    )
    return row
  }),
  writes(dropPrint, async ({ docType: kind, estateCode }, { tx, scope }) => {
    const had = await found(tx, scope.ownerId, kind, estateCode)
    if (had) {
      await remove(tx, propertyPrint, scope, [had.id])
    }
  }),
  reads(printEditions, async ({ docType: kind, estateCode }, { db, scope }) =>
    (
      await db.rows<{
        id: number
        savedAt: Moment
        savedBy?: string
        body: Paper
      }>(sql`
        select id, coalesce(saved_at, create_time) as saved_at, saved_by, body
        from print_edition
        where owner_id = ${scope.ownerId}
          and estate_code = ${estateCode ?? ''}
          and doc_type = ${codeOf(docType, kind)}
        order by 2 desc
        limit 50
      `)
    ).map(({ body: b, ...e }) => ({ ...e, paper: b })),
  ),
]
