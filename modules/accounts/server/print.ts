import { codeOf } from '#kit/contract/field.ts'
import { nameOf, stale, wrong } from '#kit/contract/wire.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handle.ts'
import { insert, rows, update, whole } from '#kit/server/table.ts'
import { rowOf } from '#kit/server/stored.ts'
import { docType, printSettings, propertyPrint, putPrint, type PropertyPrint } from '../contract/print.ts'
import { printFaults, settingOf, type DocType, type PrintSetting } from '../domain/print.ts'

/** How a company prints a kind of document: as it saved it, or by the defaults. */
export async function printSettingOf(db: Pick<Db, 'one'>, ownerId: number, kind: DocType): Promise<PrintSetting> {
  const raw = await db.one<Record<string, unknown>>(sql`select doc_type, title, paper_size, landscape, margin_top, margin_right, margin_bottom, margin_left, font_size, copies, copy_names, show_seal, parts, header, footer
    from property_print where owner_id = ${ownerId} and doc_type = ${codeOf(docType, kind)} and delete_tag = 0`)
  return raw ? rowOf(propertyPrint, raw) : settingOf(kind)
}
const kinds = Object.keys(docType.rows) as DocType[]

export const printHandlers = [
  reads(printSettings, async (_, { db, scope, world }) => {
    const had = new Map((await rows(db, propertyPrint, scope)).map(r => [r.docType, r])), now = fromInstant(world.clock())
    return kinds.map(k => had.get(k) ?? { ...settingOf(k), version: 0, createTime: now, updateTime: now })
  }),
  writes(putPrint, async ({ id: _, version, ...draft }, { tx, scope }) => {
    const faults = Object.entries(printFaults(draft as PrintSetting))
    if (faults.length) throw wrong(faults.map(([k, Message]) => ({ Field: nameOf(k, propertyPrint.fields[k as 'title'], putPrint.input), Message })))
    // Found by its kind, whoever saved it first; a save that knew of no row does not write over one.
    const had = await tx.one<{ id: number }>(sql`select id from property_print where owner_id = ${scope.ownerId} and doc_type = ${codeOf(docType, draft.docType)} and delete_tag = 0 for update`)
    if (had) return update(tx, propertyPrint, scope, had.id, whole(putPrint.input, draft), { version: version ?? 0 }) as Promise<PropertyPrint>
    if (version) throw stale()
    return insert(tx, propertyPrint, scope, draft)
  }),
]
