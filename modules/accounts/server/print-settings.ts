import { defined } from '#kit/domain/defined.ts'
import { keysOfRecord, pickPresent } from '#kit/domain/records.ts'
import type { Id } from '#kit/domain/id.ts'
import { createHash } from 'node:crypto'
import { codeOf, keysOf, type Fields } from '#kit/contract/field.ts'
import { wireNameOf, staleVersion, invalidInput } from '#kit/contract/wire.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, remove, findAll, update, withAllFields } from '#kit/server/table.ts'
import { notDeleted } from '#kit/server/sql.ts'
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

const docTypes = keysOf(docType)
const templateKeys: readonly (keyof PrintTemplate)[] = keysOfRecord(printTemplateFields)

/**
 * Only what a sheet needs, in one order of keys: equal content gives equal text (`ensureTemplateVersion`).
 */
const toPrintTemplate = (setting: PrintTemplate): PrintTemplate => pickPresent(setting, templateKeys)

interface PrintHeading {
  readonly companyName?: string | undefined
  readonly companyContact?: string | undefined
  readonly companyPhone?: string | undefined
  readonly companyAddress?: string | undefined
  readonly companyLogo?: string | undefined
  readonly estateName?: string | undefined
}

async function loadHeading(db: Db, ownerId: Id, estate: string | undefined): Promise<PrintHeading> {
  const heading = await db.one<PrintHeading>(
    sql`
      select p.company_name, p.contact_name as company_contact, p.contact_phone as company_phone,
        p.address as company_address, p.logo as company_logo, e.name as estate_name
      from property p
      left join estate e on e.owner_id = ${ownerId}
        and e.project_code = ${estate ?? ''}
        and ${notDeleted('e')}
      where p.owner_id = ${ownerId} and ${notDeleted('p')}
    `,
  )
  return heading ?? {}
}

/** The saved settings by kind: the project's own where it has one, else the company's. */
async function loadSavedSettings(
  db: Db,
  scope: Scope,
  estate: string | undefined,
): Promise<ReadonlyMap<DocType, PropertyPrint>> {
  const all = await findAll(db, propertyPrint, scope)
  const companySettings = all.filter(setting => !setting.estateCode)
  const ownSettings = all.filter(setting => setting.estateCode && setting.estateCode === estate)
  return new Map([...companySettings, ...ownSettings].map(setting => [setting.docType, setting]))
}

/**
 * How a project prints a kind of document now: by its own or its company's setting, or by the default
 * (PRINT-4).
 */
export async function loadPrintTemplate(
  db: Db,
  scope: Scope,
  kind: DocType,
  estate: string | undefined,
): Promise<PrintTemplate> {
  const templateOf = await loadPrintTemplates(db, scope, [[kind, estate ?? '']])
  return templateOf(kind, estate ?? '')
}

/** The templates of several kinds and projects; each project is queried once. `''` is no project. */
export async function loadPrintTemplates(
  db: Db,
  scope: Scope,
  requested: readonly (readonly [kind: DocType, estate: string])[],
): Promise<(kind: DocType, estate: string) => PrintTemplate> {
  const templates = new Map<string, PrintTemplate>()
  for (const estate of new Set(requested.map(([, e]) => e))) {
    const saved = await loadSavedSettings(db, scope, estate)
    const heading = await loadHeading(db, scope.ownerId, estate)
    for (const [kind] of requested.filter(([, e]) => e === estate)) {
      const setting = saved.get(kind) ?? getDefaultPrintSetting(kind)
      templates.set(`${kind}/${estate}`, toPrintTemplate({ ...setting, ...heading }))
    }
  }
  return (kind, estate) => {
    const template = templates.get(`${kind}/${estate}`)
    if (!template) throw new Error(`the template of ${kind} in ${estate} was not loaded`)
    return template
  }
}

/**
 * The id of the version with this content, stored now where it is new; equal content is the same version.
 * With `savedAt` it was saved by somebody, without it only printed by.
 */
export async function ensureTemplateVersion(
  tx: Tx,
  scope: Scope,
  kind: DocType,
  estate: string,
  template: PrintTemplate,
  savedAt?: Moment,
): Promise<number> {
  const text = JSON.stringify(toPrintTemplate(template))
  const digest = createHash('sha256').update(text).digest('hex')
  const version = await tx.one<{ id: Id }>(sql`
    insert into print_edition (owner_id, estate_code, doc_type, digest, body, saved_at, saved_by)
    values (
      ${scope.ownerId}, ${estate}, ${codeOf(docType, kind)}, ${digest}, ${text}::jsonb, ${savedAt ?? null},
      ${savedAt ? scope.name : null}
    )
    on conflict (owner_id, estate_code, doc_type, digest) do update
    set saved_at = coalesce(excluded.saved_at, print_edition.saved_at),
      saved_by = coalesce(excluded.saved_by, print_edition.saved_by)
    returning id
  `)
  if (!version) throw new Error('a template version was not stored')
  return version.id
}

export async function loadTemplateVersions(
  db: Db,
  ownerId: Id,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, PrintTemplate>> {
  if (!ids.length) return new Map()
  const rows = await db.rows<{ id: Id; body: PrintTemplate }>(
    sql`select id, body from print_edition where owner_id = ${ownerId} and id = any(${ids})`,
  )
  return new Map(rows.map(row => [row.id, row.body]))
}

const findSavedSetting = (
  tx: Tx,
  ownerId: Id,
  kind: DocType,
  estate: string | undefined,
): Promise<{ id: Id } | undefined> =>
  tx.one(
    sql`
      select id
      from property_print
      where owner_id = ${ownerId}
        and doc_type = ${codeOf(docType, kind)}
        and coalesce(estate_code, '') = ${estate ?? ''}
        and ${notDeleted()}
      for update
    `,
  )

const printFields: Fields = propertyPrint.fields

/** Refuses a setting that cannot be printed, each fault at its field (PRINT-3, PRINT-5). */
function assertPrintable(setting: PrintSetting): void {
  const faults = Object.entries(findPrintFaults(setting))
  if (!faults.length) return
  throw invalidInput(
    faults.map(([key, Message]) => ({
      Field: wireNameOf(key, defined(printFields[key]), savePrintSetting.input),
      Message,
    })),
  )
}

export const printHandlers = [
  reads(listPrintSettings, async ({ estateCode }, { db, scope, app }) => {
    const saved = await loadSavedSettings(db, scope, estateCode)
    const heading = await loadHeading(db, scope.ownerId, estateCode)
    const now = fromInstant(app.clock())
    return docTypes.map(kind => ({
      ...(saved.get(kind) ?? {
        ...getDefaultPrintSetting(kind),
        version: 0,
        createTime: now,
        updateTime: now,
      }),
      ...heading,
    }))
  }),
  writes(savePrintSetting, async ({ id: _id, version, ...draft }, { tx, scope, now }) => {
    assertPrintable(draft)
    // Found by its kind, whatever process saved it first; a first save (no version) never overwrites an
    // existing row.
    const existing = await findSavedSetting(tx, scope.ownerId, draft.docType, draft.estateCode)
    if (!existing && version) throw staleVersion()
    const setting = existing
      ? await update(tx, propertyPrint, scope, existing.id, withAllFields(savePrintSetting.input, draft), {
          version: version ?? 0,
        })
      : await insert(tx, propertyPrint, scope, draft)
    const heading = await loadHeading(tx, scope.ownerId, setting.estateCode)
    const template = { ...setting, ...heading }
    await ensureTemplateVersion(tx, scope, setting.docType, setting.estateCode ?? '', template, now)
    return setting
  }),
  writes(deletePrintSetting, async ({ docType: kind, estateCode }, { tx, scope }) => {
    const existing = await findSavedSetting(tx, scope.ownerId, kind, estateCode)
    if (existing) {
      await remove(tx, propertyPrint, scope, [existing.id])
    }
  }),
  reads(listPrintTemplateVersions, async ({ docType: kind, estateCode }, { db, scope }) => {
    const rows = await db.rows<{ id: Id; savedAt: Moment; savedBy?: string; body: PrintTemplate }>(sql`
      select id, coalesce(saved_at, create_time) as saved_at, saved_by, body
      from print_edition
      where owner_id = ${scope.ownerId}
        and estate_code = ${estateCode ?? ''}
        and doc_type = ${codeOf(docType, kind)}
      order by 2 desc
      limit 50
    `)
    return rows.map(({ body, ...version }) => ({ ...version, paper: body }))
  }),
]
