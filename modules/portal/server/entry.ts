import { defineImport } from '#kit/server/crud-import.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { bulkResultOf } from '#kit/server/bulk-result.ts'
import { registerFileAccess } from '#kit/server/file-access.ts'
import { refuse, notFound } from '#kit/contract/wire.ts'
import { reads, writes, type ReadContext } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, findByIds, requireById, tenantFilter, update, updateAll } from '#kit/server/table.ts'
import { entryState } from '../contract/choices.ts'
import { imageTexts, portalEntries, projects, services, websites } from '../contract/entry.ts'
import { getPortal, getPortalImageText } from '../contract/home.ts'

type PortalEntries = (typeof portalEntries)[number]

const isOn = sql`t.state = ${code(entryState, 'on')}`

/** Those of the entries that are there; the others are answered record by record (G-11). */
async function findEntries(entity: PortalEntries['entity'], ids: readonly string[], tx: Tx, scope: Scope) {
  const found = await findByIds(tx, entity, scope, ids, { lock: true })
  if (!found.length) throw notFound()
  return found
}

/** The plain calls of one kind of entry, pinning, switching on and off, sheets. */
function serveEntries(entries: PortalEntries) {
  const { entity, setTop, setState, permissions } = entries
  // What is switched on is on the portal for everybody, with its picture.
  registerFileAccess(entity.name, caller => {
    const visible = hasPermission(caller, permissions.view) ? sql`true` : isOn
    return sql`${tenantFilter(entity, caller)} and ${visible}`
  })
  return joinServers(
    crudHandlers(entries, {
      pictures: ['cover'],
      unique: { [`${entity.table}_title_live`]: `已有同名的${entity.label}，请更换` },
      import: defineImport(entries, entries.importSheet, { match: ['title'] }),
      export: entries.exportSheet,
      // What is switched off is not pinned: switched on again it is where it stood before that.
      beforeUpdate: draft => (draft.state === 'off' ? { topSort: 0 } : {}),
    }),
    {
      handlers: [
        writes(setTop, async ({ id, topSort }, { tx, scope }) => {
          const { state } = await requireById(tx, entity, scope, id, { lock: true })
          if (topSort > 0 && state === 'off') return refuse('停用的内容不能置顶，请先启用')
          return update(tx, entity, scope, id, { topSort })
        }),
        writes(setState, async ({ ids, state }, { tx, scope }) => {
          const found = await findEntries(entity, ids, tx, scope)
          const changed = found.filter(row => row.state !== state)
          const unpinned = state === 'off' ? { topSort: 0 } : {}
          await updateAll(tx, entity, scope, changed, { state, ...unpinned }, { action: 'state' })
          return bulkResultOf(ids, found, [])
        }),
      ],
    },
  )
}

/** As many of a kind as the portal shows. */
const maxShown = 100
const excerptLength = 120

const excerpt = (text: string | undefined): string | undefined =>
  text !== undefined && [...text].length > excerptLength
    ? `${[...text].slice(0, excerptLength).join('')}…`
    : text

async function loadShown({ entity }: PortalEntries, { db, scope }: ReadContext) {
  const rows = await findAll(db, entity, scope, {}, { where: [isOn], limit: maxShown })
  return rows.map(({ id, title, category, content, linkUrl, cover, topSort }) => ({
    id,
    title,
    category,
    content: entity === imageTexts.entity ? excerpt(content) : content,
    linkUrl,
    cover,
    isPinned: topSort > 0,
  }))
}

export const entryServer = joinServers(...portalEntries.map(serveEntries), {
  handlers: [
    reads(getPortal, async (_, c) => ({
      websites: await loadShown(websites, c),
      services: await loadShown(services, c),
      projects: await loadShown(projects, c),
      imageTexts: await loadShown(imageTexts, c),
    })),
    reads(getPortalImageText, async ({ id }, { db, scope }) => {
      const found = await requireById(db, imageTexts.entity, scope, id)
      if (found.state === 'off') throw notFound()
      return found
    }),
  ],
})
