import { createHash } from 'node:crypto'
import { codeOf } from '#kit/contract/field.ts'
import { wireNameOf, staleVersion, invalidInput } from '#kit/contract/wire.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, remove, findAll, update, withAllFields } from '#kit/server/table.ts'
import { live } from '#kit/server/sql.ts'
import {
  docType,
  deletePrintSetting,
  printTemplateFields,
  listPrintTemplateVersions,
  listPrintSettings,
  propertyPrint,
  savePrintSetting,
  type PrintTemplate,
  type PropertyPrint,
} from '../contract/print-settings.ts'
import {
  findPrintFaults,
  getDefaultPrintSetting,
  type DocType,
  type PrintSetting,
} from '../domain/print-settings.ts'

const docTypes = Object.keys(docType.rows) as DocType[]
const templateKeys = Object.keys(printTemplateFields) as (keyof PrintTemplate)[]

/** Only what a sheet needs, in one order: the same content is the same text. */
const toPrintTemplate = (s: object): PrintTemplate =>
  Object.fromEntries(
    templateKeys.flatMap(k => {
      const v = (s as Record<string, unknown>)[k]
      return v === undefined || v === null ? [] : [[k, v]]
    }),
  ) as unknown as PrintTemplate

interface PrintHeading {
  readonly companyName?: string | undefined
  readonly companyLogo?: string | undefined
  readonly estateName?: string | undefined
}

async function loadHeading(db: Db, owner: number, estate: string | undefined): Promise<PrintHeading> {
  return (
    (await db.one<PrintHeading>(
      sql`
        select p.company_name, p.logo as company_logo, e.name as estate_name
        from property p
        left join estate e on e.owner_id = p.owner_id
          and e.project_code = ${estate ?? ''}
          and ${live('e')}
        where p.owner_id = ${owner} and ${live('p')}
      `,
    )) ?? {}
  )
}

/** What was saved for a project and for the company; the project's own is the nearer. */
async function loadSavedSettings(
  db: Db,
  scope: Scope,
  estate: string | undefined,
): Promise<ReadonlyMap<DocType, PropertyPrint>> {
  const all = (await findAll(db, propertyPrint, scope)).filter(r => !r.estateCode || r.estateCode === estate)
  return new Map(
    all
      .toSorted((a, b) => Number(Boolean(a.estateCode)) - Number(Boolean(b.estateCode)))
      .map(r => [r.docType, r]),
  )
}

/** How a project prints a kind of document now: as it or its company saved it, or as shipped. */
export async function loadPrintTemplate(
  db: Db,
  scope: Scope,
  kind: DocType,
  estate: string | undefined,
): Promise<PrintTemplate> {
  return toPrintTemplate({
    ...((await loadSavedSettings(db, scope, estate)).get(kind) ?? getDefaultPrintSetting(kind)),
    ...(await loadHeading(db, scope.ownerId, estate)),
  })
}

/** Templates by kind and project, each asked once. */
export async function loadPrintTemplates(
  db: Db,
  scope: Scope,
  wanted: readonly (readonly [kind: DocType, estate: string])[],
): Promise<(kind: DocType, estate: string) => PrintTemplate> {
  const found = new Map<string, PrintTemplate>()
  for (const estate of new Set(wanted.map(w => w[1]))) {
    const had = await loadSavedSettings(db, scope, estate)
    const heading = await loadHeading(db, scope.ownerId, estate)
    for (const [k, e] of wanted) {
      if (e === estate) {
        found.set(`${k}/${e}`, toPrintTemplate({ ...(had.get(k) ?? getDefaultPrintSetting(k)), ...heading }))
      }
    }
  }
  return (k, e) => found.get(`${k}/${e}`)!
}

/** The version that this content is, kept from now on; the same content is the same version. */
export async function ensureTemplateVersion(
  tx: Tx,
  scope: Scope,
  kind: DocType,
  estate: string,
  p: PrintTemplate,
  at?: Moment,
): Promise<number> {
  const text = JSON.stringify(toPrintTemplate(p))
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

export async function loadTemplateVersions(
  db: Db,
  owner: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PrintTemplate>> {
  return new Map(
    ids.length
      ? (
          await db.rows<{ id: number; body: PrintTemplate }>(
            sql`select id, body from print_edition where owner_id = ${owner} and id = any(${ids})`,
          )
        ).map(e => [e.id, e.body])
      : [],
  )
}

const findSavedSetting = (
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
        and ${live()}
      for update
    `,
  )

export const printHandlers = [
  reads(listPrintSettings, async ({ estateCode }, { db, scope, app }) => {
    const had = await loadSavedSettings(db, scope, estateCode)
    const heading = await loadHeading(db, scope.ownerId, estateCode)
    const now = fromInstant(app.clock())
    return docTypes.map(k => ({
      ...(had.get(k) ?? { ...getDefaultPrintSetting(k), version: 0, createTime: now, updateTime: now }),
      ...heading,
    }))
  }),
  writes(savePrintSetting, async ({ id: _, version, ...draft }, { tx, scope, now }) => {
    const faults = Object.entries(findPrintFaults(draft as PrintSetting))
    if (faults.length)
      throw invalidInput(
        faults.map(([k, Message]) => ({
          Field: wireNameOf(k, propertyPrint.fields[k as 'title'], savePrintSetting.input),
          Message,
        })),
      )
    // Found by its kind, whoever saved it first; a save that knew of no row does not write over one.
    const had = await findSavedSetting(tx, scope.ownerId, draft.docType, draft.estateCode)
    if (!had && version) throw staleVersion()
    const row: PropertyPrint = had
      ? await update(tx, propertyPrint, scope, had.id, withAllFields(savePrintSetting.input, draft), {
          version: version ?? 0,
        })
      : await insert(tx, propertyPrint, scope, draft)
    await ensureTemplateVersion(
      tx,
      scope,
      row.docType,
      row.estateCode ?? '',
      toPrintTemplate({ ...row, ...(await loadHeading(tx, scope.ownerId, row.estateCode)) }),
      now,
    )
    return row
  }),
  writes(deletePrintSetting, async ({ docType: kind, estateCode }, { tx, scope }) => {
    const had = await findSavedSetting(tx, scope.ownerId, kind, estateCode)
    if (had) {
      await remove(tx, propertyPrint, scope, [had.id])
    }
  }),
  reads(listPrintTemplateVersions, async ({ docType: kind, estateCode }, { db, scope }) =>
    (
      await db.rows<{
        id: number
        savedAt: Moment
        savedBy?: string
        body: PrintTemplate
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
