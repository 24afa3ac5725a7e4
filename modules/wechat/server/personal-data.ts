import { sql } from '#kit/server/db.ts'
import type { PeopleSql } from '#kit/server/personal-data/declaration.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

/** The follower whom a resident's binding names. */
const boundFollower: PeopleSql = ({ ownerId, ids }) => sql`
  t.open_id in (
    select r.run_wechat from resident r where r.owner_id = ${ownerId} and r.id = any(${[...ids]}::bigint[])
  )
`

registerPersonalData({
  tables: {
    wechat_follower: {
      purpose: '公众号的关注者',
      ground: 'consent',
      isDeleted: true,
      people: { resident: boundFollower },
      columns: { open_id: 'detail' },
      exported: ['is_following', 'follow_time', 'leave_time'],
    },
    wechat_mass: {
      purpose: '公众号群发的内容',
      ground: 'records',
      columns: { title: 'text', content: 'text' },
    },
  },
  notPersonal: [
    'wechat_material.media',
    'wechat_material.author',
    'wechat_material.content',
    'wechat_material.picture_keys',
    'wechat_mini_image.image',
    'wechat_account.auth_fault',
    'wechat_mass.fault',
    'wechat_reply.reply_content',
    'wechat_template.field_values',
  ],
})
