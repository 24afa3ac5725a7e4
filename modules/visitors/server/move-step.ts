import { fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { registerMoveStep, type MoveContext } from '#modules/residents/server/public.ts'
import { visitState } from '../contract/choices.ts'
import { invitation, type Invitation } from '../contract/invitation.ts'
import { menu } from '../module.ts'
import { endVisits } from './changes.ts'

const nowOf = ({ scope }: MoveContext) => fromInstant(Date.parse(scope.time))

/** Of those who leave, to the room that they leave, with somebody who may still come. */
const findComingVisits = (move: MoveContext): Promise<Invitation[]> =>
  findAll(
    move.db,
    invitation,
    move.scope,
    { projectCode: move.room.projectCode, order: 'id' },
    {
      where: [
        sql`t.room_id = ${move.room.id}`,
        sql`t.host_user_id = any(${move.residencies.map(({ userId }) => userId)}::bigint[])`,
        sql`t.end_time >= ${nowOf(move)}::timestamptz`,
        sql`
          exists (
            select 1
            from invite_visitor v
            where v.owner_id = ${move.scope.ownerId}
              and v.invitation_id = t.id
              and ${notDeleted('v')}
              and (
                v.state in ${codes(visitState, 'pending', 'passed')}
                or (v.state in ${codes(visitState, 'arrived', 'left')} and v.used_times < v.max_times)
              )
          )
        `,
      ],
    },
  )

// BASE-11: nobody visits a home that is no more; who is inside still gets out.
registerMoveStep({
  key: 'visits',
  title: '邀访',
  order: 207,
  kinds: ['checkout', 'transfer'],
  needs: menu.invitation.permissions.view,
  plan: async move => {
    const { length } = await findComingVisits(move)
    return length
      ? {
          lines: [
            {
              label: '取消',
              value: `${length} 项`,
              note: '未到访的邀请码随即失效，在访的只能离开',
              tone: 'off',
            },
          ],
        }
      : undefined
  },
  apply: async move => {
    const { tx, scope } = move
    for (const row of await findComingVisits(move)) {
      await endVisits(row, '被访人已迁出', { tx, scope, now: nowOf(move) })
    }
  },
})
