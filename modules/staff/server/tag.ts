import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { staffTags } from '../contract/tag.ts'

// People carry a tag by its name: a new name goes with them, one that is deleted is taken off.
export const tagServer = crudHandlers(staffTags, {
  unique: { staff_tag_live: '已有同名标签' },
  afterUpdate: async (after, { tx, scope }, before) => {
    if (before.name === after.name) return
    await tx.execute(sql`
      update staff
      set tags = array_replace(tags, ${before.name}, ${after.name})
      where owner_id = ${scope.ownerId} and ${before.name} = any(tags)
    `)
  },
  afterDelete: async (tags, { tx, scope }) => {
    const names = tags.map(t => t.name)
    await tx.execute(sql`
      update staff
      set tags = (select array_agg(x) from unnest(tags) x where not x = any(${names}))
      where owner_id = ${scope.ownerId} and tags && ${names}
    `)
  },
})
