import { refuse } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import { insert, requireById, findPage, remove, update, withAllFields } from '#kit/server/table.ts'
import {
  addStaffTag,
  deleteStaffTags,
  editStaffTag,
  listStaffTags,
  getStaffTag,
  staffTag,
} from '../contract/tag.ts'

uniqueMessages({ staff_tag_live: '已有同名标签' })

export const tagHandlers = [
  reads(listStaffTags, (q, { db, scope }) =>
    findPage(db, staffTag, scope, q, { filters: listStaffTags.input.filters! }),
  ),
  reads(getStaffTag, ({ id }, { db, scope }) => requireById(db, staffTag, scope, id)),
  writes(addStaffTag, ({ id: _, version: __, ...d }, { tx, scope }) => insert(tx, staffTag, scope, d)),
  // People carry a tag by its name: a new name goes with them, a gone one is taken off.
  writes(editStaffTag, async ({ id, version, ...d }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的标签')
    const before = await requireById(tx, staffTag, scope, id, true)
    const after = await update(tx, staffTag, scope, id, withAllFields(editStaffTag.input, d), { version })
    if (before.name !== after.name) {
      await tx.execute(
        sql`
          update staff
          set tags = array_replace(tags, ${before.name}, ${after.name})
          where owner_id = ${scope.ownerId} and ${before.name} = any(tags)
        `,
      )
    }
    return after
  }),
  writes(deleteStaffTags, async ({ ids, reason }, { tx, scope }) => {
    const gone = await remove(tx, staffTag, scope, ids, reason)
    await tx.execute(
      sql`
        update staff
        set tags = (select array_agg(x) from unnest(tags) x where not x = any(${gone.map(t => t.name)}))
        where owner_id = ${scope.ownerId} and tags && ${gone.map(t => t.name)}
      `,
    )
  }),
]
