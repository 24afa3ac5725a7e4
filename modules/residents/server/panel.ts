import type { Permission } from '#kit/contract/call.ts'
import { labelOf } from '#kit/contract/field.ts'
import { maskPhone } from '#kit/contract/text.ts'
import { show } from '#kit/contract/value.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handle.ts'
import { may, type Scope } from '#kit/server/scope.ts'
import { page, rows } from '#kit/server/table.ts'
import type { Section, SectionLine } from '#modules/rooms/contract/board.ts'
import { panelSection } from '#modules/rooms/server/public.ts'
import { residentPanel } from '../contract/care.ts'
import { faceKey, identityCard } from '../contract/card.ts'
import { residentBlock } from '../contract/block.ts'
import { residency, residencyLog, type ResidencyLog } from '../contract/residency.ts'
import { resident, type Resident } from '../contract/resident.ts'
import {
  blockScope,
  cardState,
  cardType,
  faceState,
  linkStatus,
  movement,
  relation,
} from '../contract/words.ts'
import { menu } from '../module.ts'
import { oneDressed } from './list.ts'
import { needResident } from './visible.ts'

/** One module's part of "one person, everything". `load` answers nothing where there is nothing to say. */
export interface PersonSection {
  readonly key: string
  /** Lower stands higher; 资料 is 0, 房屋 100, 变动 1000. */
  readonly order: number
  readonly needs?: Permission
  readonly load: (c: {
    readonly db: Db
    readonly scope: Scope
    readonly person: Resident
    readonly today: Day
  }) => Promise<Omit<Section, 'key'> | undefined>
}

const sections = new Map<string, PersonSection>()

export const residentSection = (s: PersonSection): void => {
  sections.set(s.key, s)
}

const detail = (id: number): string => `/customer/usermanage/userdetail?id=${id}`

const tone = (
  table: { readonly rows: Readonly<Record<string, readonly [unknown, string, unknown?]>> },
  key: string,
) => {
  const t = table.rows[key]?.[2]
  return t ? { tone: t as NonNullable<SectionLine['tone']> } : {}
}

const moved = (l: ResidencyLog, who: string): SectionLine => ({
  label: labelOf(movement, l.action),
  value: `${who} · ${labelOf(relation, l.relation)}`,
  note: [l.day, l.detail, l.operatorName, l.reason].filter(Boolean).join(' · '),
  ...tone(movement, l.action),
})

panelSection({
  key: 'residents',
  order: 100,
  needs: menu.resident.may.view,
  load: async ({ db, scope, room: r }) => {
    const found = await rows(
      db,
      residency,
      scope,
      { order: 'id' },
      { where: [sql`t.room_id = ${r.id}`, sql`t.status in (10, 20)`] },
    )
    return {
      title: '住户',
      count: found.length,
      lines: found.map((l): SectionLine => ({
        label: labelOf(relation, l.relation),
        value: l.userName ?? '--',
        to: detail(l.userId),
        ...(l.status === 'pending' ? { tone: 'todo' as const } : {}),
        note: [
          l.mobile && (scope.privacy ? l.mobile : maskPhone(l.mobile)),
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

panelSection({
  key: 'residents.history',
  order: 900,
  needs: menu.resident.may.view,
  load: async ({ db, scope, room: r }) => {
    const found = await page(db, residencyLog, scope, { size: 5 }, { where: [sql`t.room_id = ${r.id}`] })
    return found.total
      ? { title: '住户变动', count: found.total, lines: found.rows.map(l => moved(l, l.userName)) }
      : undefined
  },
})

const facts = [
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

residentSection({
  key: 'facts',
  order: 0,
  load: async ({ person: p }) => ({
    title: '资料',
    lines: facts
      .filter(k => p[k] !== undefined)
      .map((k): SectionLine => ({ label: resident.fields[k].label, value: show(p[k], resident.fields[k]) })),
  }),
})

residentSection({
  key: 'homes',
  order: 100,
  load: async ({ db, scope, person: p }) => {
    const found = await rows(
      db,
      residency,
      scope,
      { order: '-status,-id' },
      { where: [sql`t.user_id = ${p.id}`], limit: 50 },
    )
    return {
      title: '房屋',
      count: found.length,
      lines: found.map((l): SectionLine => ({
        label: l.roomPath ?? '--',
        value: [labelOf(relation, l.relation), l.isMain ? '主业主' : '', l.isPayer ? '缴费人' : '']
          .filter(Boolean)
          .join(' · '),
        note: [
          labelOf(linkStatus, l.status),
          l.inDate ? `${l.inDate} 入住` : '',
          l.outDate ? `${l.outDate} 迁出` : '',
          l.leaseEnd ? `租至 ${l.leaseEnd}` : '',
        ]
          .filter(Boolean)
          .join(' · '),
        ...tone(linkStatus, l.status),
      })),
    }
  },
})

residentSection({
  key: 'block',
  order: 150,
  needs: menu.block.may.view,
  load: async ({ db, scope, person: p, today }) => {
    const found = await rows(db, residentBlock, scope, {}, { where: [sql`t.user_id = ${p.id}`] })
    return found.length
      ? {
          title: '黑名单',
          count: found.length,
          lines: found.map((b): SectionLine => ({
            label: b.scope.map(s => labelOf(blockScope, s)).join('、'),
            value: b.reason,
            note: b.expireDate ? `${b.expireDate} 到期` : '永久',
            tone: b.expireDate && b.expireDate < today ? 'off' : 'bad',
          })),
        }
      : undefined
  },
})

residentSection({
  key: 'cards',
  order: 200,
  needs: menu.card.may.view,
  load: async ({ db, scope, person: p }) => {
    const cards = await rows(db, identityCard, scope, {}, { where: [sql`t.user_id = ${p.id}`], limit: 50 })
    const faces = await rows(db, faceKey, scope, {}, { where: [sql`t.user_id = ${p.id}`], limit: 20 })
    const lines: SectionLine[] = [
      ...cards.map((c): SectionLine => ({
        label: labelOf(cardType, c.cardType),
        value: c.cardNo,
        note: [labelOf(cardState, c.state), c.roomPath, c.endDate ? `${c.endDate} 失效` : '']
          .filter(Boolean)
          .join(' · '),
        ...tone(cardState, c.state),
      })),
      ...faces.map((f): SectionLine => ({
        label: '人脸',
        value: labelOf(faceState, f.state),
        ...(f.failReason ? { note: f.failReason } : {}),
        ...tone(faceState, f.state),
      })),
    ]
    return lines.length ? { title: '门禁卡与人脸', count: lines.length, lines } : undefined
  },
})

residentSection({
  key: 'history',
  order: 1000,
  load: async ({ db, scope, person: p }) => {
    const found = await page(db, residencyLog, scope, { size: 20 }, { where: [sql`t.user_id = ${p.id}`] })
    return found.total
      ? { title: '变动', count: found.total, lines: found.rows.map(l => moved(l, l.roomPath ?? '')) }
      : undefined
  },
})

export const panelHandlers = [
  reads(residentPanel, async ({ id }, { db, scope, today }) => {
    const person = await oneDressed(db, scope, await needResident(db, scope, id), today)
    const asked = [...sections.values()]
      .filter(s => !s.needs || may(scope, s.needs))
      .sort((a, b) => a.order - b.order)
    const told = await Promise.all(
      asked.map(async s => {
        const said = await s.load({ db, scope, person, today })
        return said ? [{ key: s.key, ...said }] : []
      }),
    )
    return { resident: person, sections: told.flat() } as never
  }),
]
