import { refuse } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { reads, uniqueSays, writes } from '#kit/server/handle.ts'
import { insert, need, page, remove, update, whole } from '#kit/server/table.ts'
import { addTag, deleteTags, editTag, listTags, oneTag, staffTag } from '../contract/tag.ts'

uniqueSays({ staff_tag_live: '已有同名标签' })

export const tagHandlers = [
  reads(listTags, (q, { db, scope }) => page(db, staffTag, scope, q, { filters: listTags.input.filters! })),
  reads(oneTag, ({ id }, { db, scope }) => need(db, staffTag, scope, id)),
  writes(addTag, ({ id: _, version: __, ...d }, { tx, scope }) => insert(tx, staffTag, scope, d)),
  // People carry a tag by its name: a new name goes with them, a gone one is taken off.
  writes(editTag, async ({ id, version, ...d }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的标签')
    const before = await need(tx, staffTag, scope, id, true)
    const after = await update(tx, staffTag, scope, id, whole(editTag.input, d), { version })
    if (before.name !== after.name) {
      await tx.run(
        sql`
          update staff
          set tags = array_replace(tags, ${before.name}, ${after.name})
          where owner_id = ${scope.ownerId} and ${before.name} = any(tags)
        `,
      )
    }
    return after
  }),
  writes(deleteTags, async ({ ids, reason }, { tx, scope }) => {
    const gone = await remove(tx, staffTag, scope, ids, reason)
    await tx.run(
      sql`
        update staff
        set tags = (select array_agg(x) from unnest(tags) x where not x = any(${gone.map(t => t.name)}))
        where owner_id = ${scope.ownerId} and tags && ${gone.map(t => t.name)}
      `,
    )
  }),
]
