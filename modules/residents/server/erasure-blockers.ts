import { sql } from '#kit/server/db.ts'
import type { ErasureBlocker, PeopleSql } from '#kit/server/personal-data/declaration.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { cardState, faceState, residencyStatus } from '../contract/labels.ts'
import { paths } from '../module.ts'

/** The row of a card is the only place of its deposit: it stays until the money is returned. */
export const holdsDeposit = sql`coalesce(t.deposit, 0) > 0`

const cardsWithDeposit =
  (holder: 'user_id' | 'staff_id'): PeopleSql =>
  ({ ownerId, ids }) =>
    sql`
    select t.card_no as number
    from identity_card t
    where t.owner_id = ${ownerId}
      and t.${sql.id(holder)} = any(${[...ids]}::bigint[])
      and ${notDeleted('t')}
      and ${holdsDeposit}
  `

/** What has to be settled before a resident, or the holder of a card, is erased. */
export const residentBlockers: readonly ErasureBlocker[] = [
  {
    label: '在住或待审核的房屋',
    advice: '请先办理迁出或驳回',
    path: paths.links,
    found: {
      resident: ({ ownerId, ids }) => sql`
        select r.path as number
        from user_room l
        join room r on r.owner_id = ${ownerId} and r.owner_id = l.owner_id and r.id = l.room_id
        where l.owner_id = ${ownerId}
          and l.user_id = any(${[...ids]}::bigint[])
          and ${notDeleted('l')}
          and l.status in ${codes(residencyStatus, 'pending', 'living')}
      `,
    },
  },
  {
    label: '未注销的门禁卡',
    advice: '请先在住户详情注销',
    path: paths.list,
    found: {
      resident: ({ ownerId, ids }) => sql`
        select card_no as number
        from identity_card
        where owner_id = ${ownerId}
          and user_id = any(${[...ids]}::bigint[])
          and ${notDeleted()}
          and state <> ${code(cardState, 'ended')}
      `,
    },
  },
  {
    label: '未退还的门禁卡押金',
    advice: '请先退还，再在「门禁卡」中把该卡的押金改为 0',
    path: paths.cards,
    found: { resident: cardsWithDeposit('user_id'), staff: cardsWithDeposit('staff_id') },
  },
  {
    label: '仍在设备上的人脸',
    advice: '请先在住户详情删除',
    path: paths.list,
    found: {
      resident: ({ ownerId, ids }) => sql`
        select id as number
        from face_key
        where owner_id = ${ownerId}
          and user_id = any(${[...ids]}::bigint[])
          and ${notDeleted()}
          and state <> ${code(faceState, 'deleted')}
      `,
    },
  },
]
