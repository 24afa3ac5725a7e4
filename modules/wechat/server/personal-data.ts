import { sql } from '#kit/server/db.ts'
import type { PeopleSql } from '#kit/server/personal-data/declaration.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { codes, localDay } from '#kit/server/sql.ts'
import { massReceiverState } from '../contract/choices.ts'

/** The follower whom a resident's binding names. */
const boundFollower: PeopleSql = ({ ownerId, ids }) => sql`
  t.open_id in (
    select r.run_wechat from resident r where r.owner_id = ${ownerId} and r.id = any(${[...ids]}::bigint[])
  )
`

/** Messages to that follower. */
const receivedBy: PeopleSql = ({ ownerId, ids }) => sql`
  t.follower_id in (
    select f.id
    from wechat_follower f
    join resident r on r.owner_id = ${ownerId} and r.run_wechat = f.open_id
    where f.owner_id = ${ownerId} and r.id = any(${[...ids]}::bigint[])
  )
`

/** Still to be sent. */
const isOpen = sql`t.state in ${codes(massReceiverState, 'waiting', 'sending')}`

registerPersonalData({
  tables: {
    wechat_follower: {
      purpose: '公众号的关注者',
      ground: 'consent',
      retention: 'formerFollowers',
      isDeleted: true,
      people: { resident: boundFollower },
      columns: { open_id: 'detail' },
      exported: ['is_following', 'follow_time', 'leave_time'],
    },
    wechat_mass_receiver: {
      purpose: '公众号群发的接收人，用于计算微信的群发次数',
      ground: 'consent',
      retention: 'massReceivers',
      people: { resident: receivedBy },
      isDeleted: true,
      columns: {},
      exported: ['queue_day', 'state'],
    },
    wechat_mass: {
      purpose: '公众号群发的内容',
      ground: 'records',
      columns: { title: 'text', content: 'text' },
    },
  },
  retention: [
    {
      key: 'massReceivers',
      label: '公众号群发的接收人',
      content: '每次群发的接收人，自发送之日起；群发的内容与人数保留',
      basis: '当月的群发次数计算完毕后不再需要（个人信息保护法第十九条）',
      unit: 'day',
      initial: 180,
      min: 62,
      max: 1100,
      steps: [
        {
          table: 'wechat_mass_receiver',
          due: ({ before }) => sql`t.queue_day < ${localDay(before)} and not ${isOpen}`,
        },
      ],
    },
    {
      key: 'formerFollowers',
      label: '已取消关注的微信用户',
      content: '微信的 OpenID 与来源项目，自取消关注之日起',
      basis: '取消关注即撤回同意，处理完毕后不再需要（个人信息保护法第四十七条）',
      unit: 'day',
      initial: 180,
      min: 30,
      max: 1100,
      steps: [
        {
          table: 'wechat_follower',
          due: ({ before }) => sql`not t.is_following and coalesce(t.leave_time, t.update_time) < ${before}`,
        },
      ],
    },
  ],
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
