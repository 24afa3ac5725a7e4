import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { touch } from '#kit/server/sql.ts'
import { declareSetting, getSettingValue } from '#modules/estates/server/public.ts'
import { roomState } from '#modules/rooms/contract/labels.ts'
import { isTenantRelation, roomStateAfter } from '../domain/residency.ts'
import { menu } from '../module.ts'
import { deleteFaces, endCards, enrolledFaces, unendedCards } from './ending-keys.ts'
import { registerMoveStep, type MoveContext } from './move-steps.ts'
import { leavingProject, withoutHomeIn } from './presence.ts'

/** BASE-17: what becomes of what the old owner still owes. Money modules ask it. */
export const arrearsPolicy = declareSetting({
  key: 'residents.transferArrears',
  label: '过户时的欠费',
  help: '1 必须结清，2 随房转移给新业主，3 留在原业主名下',
  defaultValue: '1',
  check: v => (/^[123]$/.test(v) ? undefined : '请填写 1、2 或 3'),
})

const arrearsPolicyLabels: Readonly<Record<string, string>> = {
  1: '必须结清',
  2: '随房转移给新业主',
  3: '留在原业主名下',
}

const leavingKinds = ['checkout', 'transfer'] as const
const userIdsOf = (m: MoveContext): Id[] => m.residencies.map(r => r.userId)

registerMoveStep({
  key: 'arrearsPolicy',
  title: '欠费处理',
  order: 90,
  kinds: ['transfer'],
  plan: async context => {
    const policy = await getSettingValue(
      context.db,
      context.scope.ownerId,
      context.room.projectCode,
      arrearsPolicy,
    )
    return {
      lines: [{ label: '项目规定', value: arrearsPolicyLabels[policy] ?? policy, note: '在项目参数中修改' }],
    }
  },
})

/**
 * BASE-11: cards of these people for this room end. Those for no room, and faces, too, once nothing keeps
 * their holder in the project; BASE-12: they are issued again.
 */
const endingCards = (context: MoveContext) =>
  sql`${unendedCards(context.scope, context.room.projectCode)}
    and t.user_id = any(${userIdsOf(context)})
    and (t.room_id = ${context.room.id} or (t.room_id is null and t.user_id in (${leavingProject(context)})))`

registerMoveStep({
  key: 'cards',
  title: '门禁卡',
  order: 200,
  kinds: [...leavingKinds],
  needs: menu.card.permissions.view,
  plan: async context => {
    const cards = await context.db.rows<{ cardNo: string }>(
      sql`select t.card_no from identity_card t where ${endingCards(context)} order by t.id`,
    )
    return cards.length
      ? {
          lines: [
            {
              label: '注销',
              value: `${cards.length} 张`,
              note: cards
                .slice(0, 5)
                .map(c => c.cardNo)
                .join('、'),
              tone: 'off',
            },
          ],
        }
      : undefined
  },
  apply: async context => {
    await endCards(context.tx, context.scope, endingCards(context), `住户迁出 ${context.room.path}`)
  },
})

const endingFaces = (context: MoveContext) =>
  enrolledFaces(context.scope, context.room.projectCode, leavingProject(context))

registerMoveStep({
  key: 'faces',
  title: '人脸',
  order: 210,
  kinds: [...leavingKinds],
  needs: menu.card.permissions.view,
  plan: async context => {
    const faceCount = defined(
      await context.db.one<{ n: number }>(
        sql`select count(*)::int as n from face_key t where ${endingFaces(context)}`,
      ),
    ).n
    return faceCount
      ? { lines: [{ label: '删除', value: `${faceCount} 个`, note: '同时从设备上删除', tone: 'off' }] }
      : undefined
  },
  apply: context =>
    deleteFaces(context.tx, context.scope, endingFaces(context), `住户迁出 ${context.room.path}`),
})

const boundResidentsCondition = (m: MoveContext) =>
  sql`u.owner_id = ${m.scope.ownerId} and (u.app_bind or u.wechat_bind) and ${withoutHomeIn('company', m)}`

registerMoveStep({
  key: 'app',
  title: 'App 与微信',
  order: 220,
  kinds: [...leavingKinds],
  plan: async context => {
    const bound = await context.db.rows<{ name: string }>(
      sql`select u.name from resident u where ${boundResidentsCondition(context)}`,
    )
    return bound.length
      ? {
          lines: [
            {
              label: '解除绑定',
              value: bound.map(u => u.name).join('、'),
              note: '名下已没有在住的房屋',
              tone: 'off',
            },
          ],
        }
      : undefined
  },
  apply: async context => {
    await context.tx.execute(
      sql`
        update resident u
        set app_bind = false, wechat_bind = false, run_wechat = null, run_wechat_time = null,
          ${touch(context.scope, 'u')}
        where ${boundResidentsCondition(context)}
      `,
    )
  },
})

registerMoveStep({
  key: 'room',
  title: '房屋',
  order: 900,
  kinds: ['checkout', 'checkin', 'transfer'],
  plan: async context => {
    const staying = context.remaining.filter(r => r.inDate)
    const coming = context.kind === 'checkin' ? context.residencies : []
    const movingIn = context.moveIn ? context.newOwners.length : 0
    const current = [...staying, ...coming]
    const people = current.length + movingIn
    const nonTenants = current.filter(r => !isTenantRelation(r.relation)).length + movingIn
    const hasLeft = context.kind !== 'checkin' && context.residencies.some(r => r.inDate)
    const nextState = roomStateAfter(context.room.roomState, { people, nonTenants }, hasLeft)
    return {
      lines: [
        nextState
          ? {
              label: '房态',
              value: `${labelOf(roomState, context.room.roomState)} → ${labelOf(roomState, nextState)}`,
              note: people ? `在住 ${people} 人` : '无人居住',
              tone: 'doing',
            }
          : { label: '房态', value: labelOf(roomState, context.room.roomState), note: '不变' },
      ],
    }
  },
})
