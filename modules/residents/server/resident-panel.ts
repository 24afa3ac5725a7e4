import type { Permission } from '#kit/contract/call.ts'
import { labelOf } from '#kit/contract/field.ts'
import { maskPhone } from '#kit/contract/text.ts'
import { formatValue } from '#kit/contract/value.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { findPage, findAll } from '#kit/server/table.ts'
import type { PanelSectionContent, PanelSectionLine } from '#modules/rooms/contract/room-board.ts'
import { registerRoomPanelSection } from '#modules/rooms/server/public.ts'
import { getResidentPanel } from '../contract/maintenance.ts'
import { faceKey, identityCard } from '../contract/card.ts'
import { residentBlock } from '../contract/block.ts'
import { residency, residencyLog, type ResidencyLog } from '../contract/residency.ts'
import { resident, type Resident } from '../contract/resident.ts'
import {
  blockScope,
  cardState,
  cardType,
  faceState,
  residencyStatus,
  residencyChange,
  relation,
} from '../contract/labels.ts'
import { menu } from '../module.ts'
import { presentResident } from './resident-list.ts'
import { requireResident } from './resident-access.ts'
import { codes } from '#kit/server/sql.ts'

/** One module's part of "one person, everything". `load` answers nothing where there is nothing to say. */
export interface ResidentPanelSection {
  readonly key: string
  /** Lower stands higher; 资料 is 0, 房屋 100, 变动 1000. */
  readonly order: number
  readonly needs?: Permission
  readonly load: (c: {
    readonly db: Db
    readonly scope: Scope
    readonly person: Resident
    readonly today: Day
  }) => Promise<Omit<PanelSectionContent, 'key'> | undefined>
}

const sections = new Map<string, ResidentPanelSection>()

export const registerResidentPanelSection = (s: ResidentPanelSection): void => {
  sections.set(s.key, s)
}

const residentDetailPath = (id: number): string => `/customer/usermanage/userdetail?id=${id}`

const toneOf = (
  table: { readonly rows: Readonly<Record<string, readonly [unknown, string, unknown?]>> },
  key: string,
) => {
  const t = table.rows[key]?.[2]
  return t ? { tone: t as NonNullable<PanelSectionLine['tone']> } : {}
}

const logLine = (l: ResidencyLog, who: string): PanelSectionLine => ({
  label: labelOf(residencyChange, l.action),
  value: `${who} · ${labelOf(relation, l.relation)}`,
  note: [l.day, l.detail, l.operatorName, l.reason].filter(Boolean).join(' · '),
  ...toneOf(residencyChange, l.action),
})

registerRoomPanelSection({
  key: 'residents',
  order: 100,
  needs: menu.resident.permissions.view,
  load: async ({ db, scope, room: r }) => {
    const found = await findAll(
      db,
      residency,
      scope,
      { order: 'id' },
      { where: [sql`t.room_id = ${r.id}`, sql`t.status in ${codes(residencyStatus, 'pending', 'living')}`] },
    )
    return {
      title: '住户',
      count: found.length,
      lines: found.map((l): PanelSectionLine => ({
        label: labelOf(relation, l.relation),
        value: l.userName ?? '--',
        to: residentDetailPath(l.userId),
        ...(l.status === 'pending' ? { tone: 'todo' as const } : {}),
        note: [
          l.mobile && (scope.canSeePersonalData ? l.mobile : maskPhone(l.mobile)),
          l.isMain ? '主业主' : '',
          l.isPayer ? '缴费人' : '',
          l.status === 'pending' ? '待审核' : '',
          l.inDate ? `${l.inDate} 入住` : '未入住',
          l.leaseEnd ? `租至 ${l.leaseEnd}` : '',
        ]
          .filter(Boolean)
          .join(' · '),
      })),
    }
  },
})

registerRoomPanelSection({
  key: 'residents.history',
  order: 900,
  needs: menu.resident.permissions.view,
  load: async ({ db, scope, room: r }) => {
    const found = await findPage(db, residencyLog, scope, { size: 5 }, { where: [sql`t.room_id = ${r.id}`] })
    return found.total
      ? { title: '住户变动', count: found.total, lines: found.rows.map(l => logLine(l, l.userName)) }
      : undefined
  },
})

const factKeys = [
  'mobile',
  'gender',
  'userType',
  'certType',
  'certNo',
  'birthday',
  'nation',
  'education',
  'workUnit',
  'phone2',
  'email',
  'address',
  'emergencyName',
  'emergencyPhone',
  'tags',
  'wechatBind',
  'appBind',
  'source',
  'estateName',
  'remark',
  'createTime',
] as const

registerResidentPanelSection({
  key: 'facts',
  order: 0,
  load: async ({ person: p }) => ({
    title: '资料',
    lines: factKeys
      .filter(k => p[k] !== undefined)
      .map((k): PanelSectionLine => ({
        label: resident.fields[k].label,
        value: formatValue(p[k], resident.fields[k]),
      })),
  }),
})

registerResidentPanelSection({
  key: 'homes',
  order: 100,
  load: async ({ db, scope, person: p }) => {
    const found = await findAll(
      db,
      residency,
      scope,
      { order: '-status,-id' },
      { where: [sql`t.user_id = ${p.id}`], limit: 50 },
    )
    return {
      title: '房屋',
      count: found.length,
      lines: found.map((l): PanelSectionLine => ({
        label: l.roomPath ?? '--',
        value: [labelOf(relation, l.relation), l.isMain ? '主业主' : '', l.isPayer ? '缴费人' : '']
          .filter(Boolean)
          .join(' · '),
        note: [
          labelOf(residencyStatus, l.status),
          l.inDate ? `${l.inDate} 入住` : '',
          l.outDate ? `${l.outDate} 迁出` : '',
          l.leaseEnd ? `租至 ${l.leaseEnd}` : '',
        ]
          .filter(Boolean)
          .join(' · '),
        ...toneOf(residencyStatus, l.status),
      })),
    }
  },
})

registerResidentPanelSection({
  key: 'block',
  order: 150,
  needs: menu.block.permissions.view,
  load: async ({ db, scope, person: p, today }) => {
    const found = await findAll(db, residentBlock, scope, {}, { where: [sql`t.user_id = ${p.id}`] })
    return found.length
      ? {
          title: '黑名单',
          count: found.length,
          lines: found.map((b): PanelSectionLine => ({
            label: b.scope.map(s => labelOf(blockScope, s)).join('、'),
            value: b.reason,
            note: b.expireDate ? `${b.expireDate} 到期` : '永久',
            tone: b.expireDate && b.expireDate < today ? 'off' : 'bad',
          })),
        }
      : undefined
  },
})

registerResidentPanelSection({
  key: 'cards',
  order: 200,
  needs: menu.card.permissions.view,
  load: async ({ db, scope, person: p }) => {
    const cards = await findAll(db, identityCard, scope, {}, { where: [sql`t.user_id = ${p.id}`], limit: 50 })
    const faces = await findAll(db, faceKey, scope, {}, { where: [sql`t.user_id = ${p.id}`], limit: 20 })
    const lines: PanelSectionLine[] = [
      ...cards.map((c): PanelSectionLine => ({
        label: labelOf(cardType, c.cardType),
        value: c.cardNo,
        note: [labelOf(cardState, c.state), c.roomPath, c.endDate ? `${c.endDate} 失效` : '']
          .filter(Boolean)
          .join(' · '),
        ...toneOf(cardState, c.state),
      })),
      ...faces.map((f): PanelSectionLine => ({
        label: '人脸',
        value: labelOf(faceState, f.state),
        ...(f.failReason ? { note: f.failReason } : {}),
        ...toneOf(faceState, f.state),
      })),
    ]
    return lines.length ? { title: '门禁卡与人脸', count: lines.length, lines } : undefined
  },
})

registerResidentPanelSection({
  key: 'history',
  order: 1000,
  load: async ({ db, scope, person: p }) => {
    const found = await findPage(db, residencyLog, scope, { size: 20 }, { where: [sql`t.user_id = ${p.id}`] })
    return found.total
      ? { title: '变动', count: found.total, lines: found.rows.map(l => logLine(l, l.roomPath ?? '')) }
      : undefined
  },
})

export const panelHandlers = [
  reads(getResidentPanel, async ({ id }, { db, scope, today }) => {
    const person = await presentResident(db, scope, await requireResident(db, scope, id), today)
    const asked = [...sections.values()]
      .filter(s => !s.needs || hasPermission(scope, s.needs))
      .toSorted((a, b) => a.order - b.order)
    const told = await Promise.all(
      asked.map(async s => {
        const said = await s.load({ db, scope, person, today })
        return said ? [{ key: s.key, ...said }] : []
      }),
    )
    return { resident: person, sections: told.flat() }
  }),
]
