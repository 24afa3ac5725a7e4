import { maskMiddle } from '#kit/contract/text.ts'
import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { requireById } from '#kit/server/table.ts'
import { erasureRequest, listMentions, saveMentions } from '../contract/erasure.ts'
import { requireWholeDomain } from './access.ts'
import { readConfirmed, type MentionKey } from './confirmed-rows.ts'
import { isPending, personOf, requireOpen, shown } from './erasure.ts'
import { findMentions, mentionsPerTable, type Mention, type MentionCell } from './mentions.ts'

const masked = (text: string): string => maskMiddle(text, 3, 2)

/** Whole numbers, and plates, are for those who may see them in full. */
const withoutNumbers = (text: string): string =>
  text
    .replaceAll(/[一-龥][A-Z][0-9A-Z]{5,6}(?![0-9A-Z])/g, found => maskMiddle(found, 2, 1))
    .replaceAll(/[0-9A-Za-z@._-]{7,}/g, masked)

/** A column of numbers is masked whole, however short they are. */
const maskedCell = ({ text, isNumber }: MentionCell): string => {
  const visible = withoutNumbers(text)
  return isNumber && visible === text ? masked(text) : visible
}

const contentOf = ({ cells }: Mention, isWhole: boolean): string =>
  cells.map(cell => `${cell.heading} ${isWhole ? cell.text : maskedCell(cell)}`).join('；')

const textOf = ({ tableName, rowKey }: MentionKey): string => `${tableName} ${rowKey}`

const namedRows = 10

/** Which rows were confirmed, by their keys and without their content: an approval can be traced to them. */
function confirmationText(confirmed: readonly Mention[]): string {
  if (!confirmed.length) return '核对疑似记录，均与本人无关'
  const names = confirmed.slice(0, namedRows).map(({ label, rowKey }) => `${label} ${rowKey}`)
  const more = confirmed.length > namedRows ? ' 等' : ''
  return `核对疑似记录，确认 ${confirmed.length} 条：${names.join('、')}${more}`.slice(0, 200)
}

export const mentionHandlers = [
  reads(listMentions, async ({ id }, { db, scope }) => {
    requireWholeDomain(scope)
    const request = await requireById(db, erasureRequest, scope, id)
    if (!isPending(request)) return { mentions: [], hasMore: false }
    const { person, tables } = await personOf(db, scope.ownerId, request)
    const confirmed = await readConfirmed(db, scope.ownerId, id)
    const mentions = await findMentions(db, person, tables)
    const counts = Map.groupBy(mentions, each => each.tableName)
    return {
      mentions: mentions.map(({ cells, ...each }) => ({
        ...each,
        content: contentOf({ ...each, cells }, scope.canSeePersonalData),
        isConfirmed: confirmed.get(each.tableName)?.includes(each.rowKey) ?? false,
      })),
      hasMore: [...counts.values()].some(rows => rows.length >= mentionsPerTable),
    }
  }),

  writes(saveMentions, async ({ id, mentions = [] }, { tx, scope, today }) => {
    requireWholeDomain(scope)
    const request = await requireOpen(tx, scope, id)
    const { person, tables } = await personOf(tx, scope.ownerId, request)
    const all = await findMentions(tx, person, tables)
    const found = new Set(all.map(textOf))
    const chosen = new Set(mentions.map(textOf))
    if ([...chosen].some(key => !found.has(key))) return refuse('疑似记录已变化，请刷新后重新核对')
    const keys = mentions.map(({ tableName, rowKey }) => ({ tableName, rowKey }))
    await tx.execute(sql`
      update erasure_request
      set run_mentions = ${JSON.stringify(keys)}::jsonb, mentions_time = ${scope.time}::timestamptz,
        version = version + 1, update_time = ${scope.time}::timestamptz, update_by = ${scope.operatorId}
      where owner_id = ${scope.ownerId} and id = ${id}
    `)
    await audit(tx, scope, [
      {
        action: 'update',
        entity: erasureRequest.name,
        entityId: id,
        before: { mentionsTime: request.mentionsTime },
        after: { mentionsTime: scope.time },
        reason: confirmationText(all.filter(each => chosen.has(textOf(each)))),
      },
    ])
    return shown(await requireById(tx, erasureRequest, scope, id), today)
  }),
]
