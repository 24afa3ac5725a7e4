import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { live, code, codes } from '#kit/server/sql.ts'
import { declareSetting, getSettingValue } from '#modules/estates/server/public.ts'
import { roomState } from '#modules/rooms/contract/labels.ts'
import type { MoveLine } from '../contract/move.ts'
import type { Residency } from '../contract/residency.ts'
import { relation, cardState, residencyStatus, faceState } from '../contract/labels.ts'
import { findPayer, isTenantRelation, roomStateAfter, findNextMainOwner } from '../domain/residency.ts'
import { menu } from '../module.ts'
import { registerMoveStep, type MoveContext } from './move-steps.ts'

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

const roleOf = (l: Residency): string =>
  [labelOf(relation, l.relation), l.isMain ? '主业主' : '', l.isPayer ? '缴费人' : '']
    .filter(Boolean)
    .join(' · ')

const leavingKinds = ['checkout', 'transfer'] as const
const userIdsOf = (m: MoveContext): number[] => m.residencies.map(l => l.userId)

registerMoveStep({
  key: 'people',
  title: '住户',
  order: 0,
  kinds: ['checkout', 'checkin', 'transfer', 'moveOut'],
  plan: async m => {
    const lines: MoveLine[] = m.residencies.map(l => ({
      label: l.userName ?? '',
      value: roleOf(l),
      ...(m.newOwners.some(c => c.id === l.userId)
        ? { note: `${m.day} 起转为业主`, tone: 'done' as const }
        : m.kind === 'checkin'
          ? { note: `${m.day} 起再次入住`, tone: 'done' as const }
          : { note: `${m.day} 迁出`, tone: 'off' as const }),
    }))
    lines.push(
      ...m.newOwners.map((c): MoveLine => ({
        label: c.name,
        value: c.id === undefined ? '新业主' : '新业主 · 已有住户',
        note: m.moveIn ? `${m.day} 起入住` : `${m.day} 起为业主，不入住`,
        tone: 'done',
      })),
    )
    if (m.kind === 'checkin') {
      const main = m.remaining.find(s => s.isMain)
      const payer = m.remaining.find(s => s.isPayer)
      if (main && m.residencies.some(l => l.isMain)) {
        lines.push({
          label: '主业主',
          value: main.userName,
          note: '仍是主业主，再次入住的人不恢复',
          tone: 'hold',
        })
      }
      if (payer && m.residencies.some(l => l.isPayer)) {
        lines.push({
          label: '缴费人',
          value: payer.userName,
          note: '仍是缴费人，再次入住的人不恢复',
          tone: 'hold',
        })
      }
      return { lines }
    }
    if (m.remaining.length) {
      lines.push({
        label: '留下的住户',
        value: m.remaining.map(s => s.userName).join('、'),
        note: `${m.remaining.length} 人`,
      })
    }
    if (m.kind === 'transfer') {
      const main = m.newOwners.find(c => c.isMain)
      const pays =
        m.newOwners.find(c => c.isPayer)?.name ?? m.remaining.find(s => s.isPayer)?.userName ?? main?.name
      return {
        lines: [
          ...lines,
          {
            label: '主业主',
            value: main?.name ?? '--',
            ...(main ? {} : { note: '请填写新业主', tone: 'hold' as const }),
          },
          ...(pays ? [{ label: '缴费人', value: pays, note: '之后的账单由其缴纳' }] : []),
        ],
      }
    }
    const owner = findNextMainOwner(m.remaining)
    const payer = findPayer(m.remaining)
    if (m.residencies.some(l => l.isMain)) {
      lines.push({
        label: '主业主',
        value: owner?.userName ?? '--',
        note: owner ? '接任主业主' : '没有其他业主，请另行登记或办理过户',
        tone: owner ? 'done' : 'hold',
      })
    }
    if (m.residencies.some(l => l.isPayer || l.isMain)) {
      lines.push({
        label: '缴费人',
        value: payer?.userName ?? '--',
        note: payer ? '之后的账单由其缴纳' : '没有缴费人，请另行设置',
        tone: payer ? 'done' : 'hold',
      })
    }
    return { lines }
  },
})

registerMoveStep({
  key: 'arrearsPolicy',
  title: '欠费处理',
  order: 90,
  kinds: ['transfer'],
  plan: async m => {
    const v = await getSettingValue(m.db, m.scope.ownerId, m.room.projectCode, arrearsPolicy)
    return { lines: [{ label: '项目规定', value: arrearsPolicyLabels[v] ?? v, note: '在项目参数里修改' }] }
  },
})

// BASE-11: cards of these people for this room end, faces where no home in the project is left.
const activeCardsQuery = (m: MoveContext) =>
  sql<{
    id: number
    cardNo: string
  }>`
    select id, card_no
    from identity_card
    where owner_id = ${m.scope.ownerId}
      and room_id = ${m.room.id}
      and user_id = any(${userIdsOf(m)})
      and ${live()}
      and state in ${codes(cardState, 'normal', 'lost', 'expired')}
  `

const withoutHomeCondition = (m: MoveContext) =>
  sql`u.id = any(${userIdsOf(m)})
    and not exists (
      select 1
      from user_room l
      where l.owner_id = ${m.scope.ownerId}
        and l.user_id = u.id
        and ${live('l')}
        and l.status = ${code(residencyStatus, 'living')}
        and l.room_id <> ${m.room.id}
    `

registerMoveStep({
  key: 'cards',
  title: '门禁卡',
  order: 200,
  kinds: [...leavingKinds],
  needs: menu.card.permissions.view,
  plan: async m => {
    const all = await m.db.rows(activeCardsQuery(m))
    return all.length
      ? {
          lines: [
            {
              label: '注销',
              value: `${all.length} 张`,
              note: all
                .slice(0, 5)
                .map(c => c.cardNo)
                .join('、'),
              tone: 'off',
            },
          ],
        }
      : undefined
  },
  apply: async m => {
    await m.tx.execute(
      sql`
        update identity_card
        set state = ${code(cardState, 'ended')}, end_reason = ${`住户迁出 ${m.room.path}`},
          version = version + 1, update_time = now(), update_by = ${m.scope.operatorId}
        where owner_id = ${m.scope.ownerId}
          and room_id = ${m.room.id}
          and user_id = any(${userIdsOf(m)})
          and ${live()}
          and state in ${codes(cardState, 'normal', 'lost', 'expired')}
      `,
    )
  },
})

const activeFacesCondition = (m: MoveContext) =>
  sql`f.owner_id = ${m.scope.ownerId} and f.project_code = ${m.room.projectCode} and ${live('f')} and f.state <> ${code(faceState, 'gone')} and f.user_id in (select u.id from resident u where u.owner_id = ${m.scope.ownerId} and ${withoutHomeCondition(m)} and l.project_code = ${m.room.projectCode}))`

registerMoveStep({
  key: 'faces',
  title: '人脸',
  order: 210,
  kinds: [...leavingKinds],
  needs: menu.card.permissions.view,
  plan: async m => {
    const n = defined(
      await m.db.one<{ n: number }>(
        sql`select count(*)::int as n from face_key f where ${activeFacesCondition(m)}`,
      ),
    ).n
    return n
      ? { lines: [{ label: '删除', value: `${n} 个`, note: '同时从设备上删除', tone: 'off' }] }
      : undefined
  },
  apply: async m => {
    await m.tx.execute(
      sql`
        update face_key f
        set state = ${code(faceState, 'gone')}, version = f.version + 1, update_time = now(),
          update_by = ${m.scope.operatorId}
        where ${activeFacesCondition(m)}
      `,
    )
  },
})

const boundResidentsCondition = (m: MoveContext) =>
  sql`u.owner_id = ${m.scope.ownerId} and (u.app_bind or u.wechat_bind) and ${withoutHomeCondition(m)})`

registerMoveStep({
  key: 'app',
  title: 'App 与微信',
  order: 220,
  kinds: [...leavingKinds],
  plan: async m => {
    const all = await m.db.rows<{ name: string }>(
      sql`select u.name from resident u where ${boundResidentsCondition(m)}`,
    )
    return all.length
      ? {
          lines: [
            {
              label: '解除绑定',
              value: all.map(u => u.name).join('、'),
              note: '名下已没有在住的房屋',
              tone: 'off',
            },
          ],
        }
      : undefined
  },
  apply: async m => {
    await m.tx.execute(
      sql`
        update resident u
        set app_bind = false, wechat_bind = false, run_wechat = null, run_wechat_time = null,
          version = u.version + 1
        where ${boundResidentsCondition(m)}
      `,
    )
  },
})

registerMoveStep({
  key: 'room',
  title: '房屋',
  order: 900,
  kinds: ['checkout', 'checkin', 'transfer'],
  plan: async m => {
    const here = m.remaining.filter(s => s.inDate)
    const coming = m.kind === 'checkin' ? m.residencies : []
    const people = here.length + coming.length + (m.moveIn ? m.newOwners.length : 0)
    const own =
      [...here, ...coming].filter(s => !isTenantRelation(s.relation)).length +
      (m.moveIn ? m.newOwners.length : 0)
    const to = roomStateAfter(
      m.room.roomState,
      { people, nonTenants: own },
      m.residencies.some(l => l.inDate) && m.kind !== 'checkin',
    )
    return {
      lines: [
        to
          ? {
              label: '房态',
              value: `${labelOf(roomState, m.room.roomState)} → ${labelOf(roomState, to)}`,
              note: people ? `在住 ${people} 人` : '没有人住在里面',
              tone: 'doing',
            }
          : { label: '房态', value: labelOf(roomState, m.room.roomState), note: '不变' },
      ],
    }
  },
})
