import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { notFound } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { registerFileAccess } from '#kit/server/file-access.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasPermission } from '#kit/server/scope.ts'
import { findByIds, requireById, tenantFilter, updateAll } from '#kit/server/table.ts'
import { matter, matters, setMatterState } from '../contract/matter.ts'
import { menu } from '../module.ts'
import { richTextFaults, storedRichText } from './notice-text.ts'
import { assertWholeProjects, inDomain, requireInDomain } from './reach.ts'

registerFileAccess(matter.name, caller =>
  hasPermission(caller, menu.matter.permissions.view)
    ? sql.join([tenantFilter(matter, caller), ...inDomain(caller)], sql` and `)
    : undefined,
)

export const matterServer = joinServers(
  crudHandlers(matters, {
    byHand: ['get'],
    filter: (_, { scope }) => inDomain(scope),
    check: (draft, c, before) => {
      if (before) {
        assertWholeProjects(c.scope, requireInDomain(c.scope, before), '该事项')
      }
      assertWholeProjects(c.scope, draft, '事项')
      return richTextFaults(c, 'Content', '办理步骤', draft.steps, before?.contentFiles)
    },
    beforeInsert: async (draft, c) => {
      const { content: steps, contentFiles } = await storedRichText(c, draft.steps)
      return { steps, contentFiles }
    },
    beforeUpdate: async (draft, c, before) => {
      const { content: steps, contentFiles } = await storedRichText(c, draft.steps, before.contentFiles)
      return { steps, contentFiles }
    },
    beforeDelete: async (rows, { scope }) => {
      for (const row of rows) {
        assertWholeProjects(scope, requireInDomain(scope, row), `「${row.title}」`)
      }
    },
  }),
  {
    handlers: [
      reads(matters.get, async ({ id }, { db, scope }) =>
        requireInDomain(scope, await requireById(db, matter, scope, id)),
      ),
      writes(setMatterState, async ({ ids, state }, { tx, scope }) => {
        const found = await findByIds(tx, matter, scope, ids)
        if (!found.length) throw notFound()
        for (const row of found) {
          assertWholeProjects(scope, requireInDomain(scope, row), `「${row.title}」`)
        }
        const { allowed, refused } = judgeRecords(
          found,
          row => (row.state === state ? '事项已是该状态' : undefined),
          row => row.title,
        )
        await updateAll(tx, matter, scope, allowed, { state }, { action: 'state' })
        return bulkResultOf(ids, found, refused)
      }),
    ],
  },
)
