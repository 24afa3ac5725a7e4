import type { Id } from '#kit/domain/id.ts'
import type { Permission } from '#kit/contract/call.ts'
import { labelOf, type Choices } from '#kit/contract/field.ts'
import { maskPhone } from '#kit/contract/text.ts'
import { formatValue } from '#kit/contract/value.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { findPage, findAll } from '#kit/server/table.ts'
import type { PanelSectionContent, PanelSectionLine } from '#modules/rooms/contract/room-board.ts'
import { registerRoomPanelSection, roomPath } from '#modules/rooms/server/public.ts'
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
  residencyStatusText,
  isMovedIn,
} from '../contract/labels.ts'
import { relation } from '../contract/relation.ts'
import { menu, paths } from '../module.ts'
import { presentResident } from './resident-presentation.ts'
import { requireResident } from './resident-access.ts'
import { codes } from '#kit/server/sql.ts'
import { withRoomPayers } from './residency-payer.ts'

/** One module's part of "one person, everything". `load` returns undefined where there is nothing to show. */
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

export const registerResidentPanelSection = (section: ResidentPanelSection): void => {
  sections.set(section.key, section)
}

const residentDetailPath = (id: Id): string => `${paths.see}?id=${id}`

const toneOf = (choices: Choices, key: string): Pick<PanelSectionLine, 'tone'> => {
  const tone = choices.rows[key]?.[2]
  return tone ? { tone } : {}
}

const logLine = (entry: ResidencyLog, subjectName: string): PanelSectionLine => ({
  label: labelOf(residencyChange, entry.action),
  value: `${subjectName} · ${labelOf(relation, entry.relation)}`,
  note: [entry.day, entry.detail, entry.operatorName, entry.reason].filter(Boolean).join(' · '),
  ...toneOf(residencyChange, entry.action),
})

registerRoomPanelSection({
  key: 'residents',
  order: 100,
  needs: menu.resident.permissions.view,
  load: async ({ db, scope, room }) => {
    const found = await findAll(
      db,
      residency,
      scope,
      { order: 'id' },
      {
        where: [sql`t.room_id = ${room.id}`, sql`t.status in ${codes(residencyStatus, 'pending', 'living')}`],
      },
    )
    const people = await withRoomPayers(db, scope.ownerId, found)
    return {
      title: '住户',
      count: people.length,
      lines: people.map((entry): PanelSectionLine => ({
        label: entry.userName ?? '--',
        value: labelOf(relation, entry.relation),
        to: residentDetailPath(entry.userId),
        ...(entry.status === 'pending' ? { tone: 'todo' as const } : {}),
        note: [
          // Masked for everyone: the person's own page shows it on request, and logs that (PERM-7).
          entry.mobile && maskPhone(entry.mobile),
          entry.isMain ? '主业主' : '',
          entry.isPayer ? '缴费人' : '',
          entry.status === 'pending' ? '待审核' : '',
          entry.inDate ? `${entry.inDate} 入住` : '未入住',
          entry.leaseEnd ? `租至 ${entry.leaseEnd}` : '',
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
  load: async ({ db, scope, room }) => {
    const found = await findPage(
      db,
      residencyLog,
      scope,
      { size: 5 },
      { where: [sql`t.room_id = ${room.id}`] },
    )
    return found.total
      ? {
          title: '住户变动',
          count: found.total,
          lines: found.rows.map(entry => logLine(entry, entry.userName)),
        }
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
  load: async ({ person }) => ({
    title: '资料',
    lines: factKeys
      .filter(k => person[k] !== undefined)
      .map((k): PanelSectionLine => ({
        label: resident.fields[k].label,
        value: formatValue(person[k], resident.fields[k]),
      })),
  }),
})

registerResidentPanelSection({
  key: 'homes',
  order: 100,
  load: async ({ db, scope, person }) => {
    const found = await findAll(
      db,
      residency,
      scope,
      { order: '-status,-id' },
      { where: [sql`t.user_id = ${person.id}`], limit: 50 },
    )
    const homes = await withRoomPayers(db, scope.ownerId, found)
    return {
      title: '房屋',
      count: homes.length,
      lines: homes.map((entry): PanelSectionLine => ({
        label: entry.roomPath ?? '--',
        to: roomPath(entry.roomId),
        value: [
          labelOf(relation, entry.relation),
          entry.isMain ? '主业主' : '',
          entry.isPayer ? '缴费人' : '',
        ]
          .filter(Boolean)
          .join(' · '),
        note: [
          residencyStatusText(entry),
          entry.inDate ? `${entry.inDate} 入住` : '',
          entry.outDate ? `${entry.outDate} 迁出` : '',
          entry.leaseEnd ? `租至 ${entry.leaseEnd}` : '',
        ]
          .filter(Boolean)
          .join(' · '),
        ...(entry.status !== 'living' || isMovedIn(entry) ? toneOf(residencyStatus, entry.status) : {}),
      })),
    }
  },
})

registerResidentPanelSection({
  key: 'block',
  order: 150,
  needs: menu.block.permissions.view,
  load: async ({ db, scope, person, today }) => {
    const found = await findAll(db, residentBlock, scope, {}, { where: [sql`t.user_id = ${person.id}`] })
    return found.length
      ? {
          title: '黑名单',
          count: found.length,
          lines: found.map((block): PanelSectionLine => ({
            label: block.scope.map(section => labelOf(blockScope, section)).join('、'),
            value: block.reason,
            note: block.expireDate ? `${block.expireDate} 到期` : '永久',
            tone: block.expireDate && block.expireDate < today ? 'off' : 'bad',
          })),
        }
      : undefined
  },
})

registerResidentPanelSection({
  key: 'cards',
  order: 200,
  needs: menu.card.permissions.view,
  load: async ({ db, scope, person }) => {
    const cards = await findAll(
      db,
      identityCard,
      scope,
      {},
      { where: [sql`t.user_id = ${person.id}`], limit: 50 },
    )
    const faces = await findAll(db, faceKey, scope, {}, { where: [sql`t.user_id = ${person.id}`], limit: 20 })
    const lines: PanelSectionLine[] = [
      ...cards.map((c): PanelSectionLine => ({
        label: labelOf(cardType, c.cardType),
        value: c.cardNo,
        note: [labelOf(cardState, c.state), c.roomPath, c.endDate ? `${c.endDate} 失效` : '']
          .filter(Boolean)
          .join(' · '),
        ...toneOf(cardState, c.state),
      })),
      ...faces.map((face): PanelSectionLine => ({
        label: '人脸',
        value: labelOf(faceState, face.state),
        ...(face.failReason ? { note: face.failReason } : {}),
        ...toneOf(faceState, face.state),
      })),
    ]
    return lines.length ? { title: '门禁卡与人脸', count: lines.length, lines } : undefined
  },
})

registerResidentPanelSection({
  key: 'history',
  order: 1000,
  load: async ({ db, scope, person }) => {
    const found = await findPage(
      db,
      residencyLog,
      scope,
      { size: 20 },
      { where: [sql`t.user_id = ${person.id}`] },
    )
    return found.total
      ? {
          title: '变动',
          count: found.total,
          lines: found.rows.map(entry => logLine(entry, entry.roomPath ?? '')),
        }
      : undefined
  },
})

export const panelHandlers = [
  reads(getResidentPanel, async ({ id }, { db, scope, today }) => {
    const person = await presentResident(db, scope, await requireResident(db, scope, id), today)
    const visibleSections = [...sections.values()]
      .filter(section => !section.needs || hasPermission(scope, section.needs))
      .toSorted((a, b) => a.order - b.order)
    const contents = await Promise.all(
      visibleSections.map(async section => {
        const content = await section.load({ db, scope, person, today })
        return content ? [{ key: section.key, ...content }] : []
      }),
    )
    return { resident: person, sections: contents.flat() }
  }),
]
