import type { Permission } from '#kit/contract/call.ts'
import { labelOf } from '#kit/contract/field.ts'
import { formatValue } from '#kit/contract/value.ts'
import type { Day } from '#kit/contract/field.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { requireById, findPage } from '#kit/server/table.ts'
import { getRoomPanel, type PanelSectionContent, type PanelSectionLine } from '../contract/room-board.ts'
import { roomChange } from '../contract/room-change.ts'
import { room, type Room } from '../contract/room.ts'
import { changeItem } from '../contract/labels.ts'

/** One module's part of "one room, everything". `load` answers nothing where there is nothing to say. */
export interface RoomPanelSection {
  readonly key: string
  /** Lower stands higher; 概览 is 0, 变更 is 1000. */
  readonly order: number
  /** Left out for those without this right. */
  readonly needs?: Permission
  readonly load: (c: {
    readonly db: Db
    readonly scope: Scope
    readonly room: Room
    readonly today: Day
  }) => Promise<Omit<PanelSectionContent, 'key'> | undefined>
}

const sections = new Map<string, RoomPanelSection>()

export const registerRoomPanelSection = (s: RoomPanelSection): void => {
  sections.set(s.key, s)
}

const roomFields = room.fields

const overviewKeys = [
  'roomType',
  'roomState',
  'buildArea',
  'innerArea',
  'shareArea',
  'chargeArea',
  'feeRatio',
  'layout',
  'orientation',
  'useType',
  'deliverDate',
  'checkinDate',
  'decorateBegin',
  'decorateEnd',
  'mainOwnerName',
  'payerName',
  'companyName',
  'people',
  'ownerCertNo',
  'brand',
  'industry',
  'remark',
] as const

registerRoomPanelSection({
  key: 'overview',
  order: 0,
  load: async ({ room: r }) => ({
    title: '概览',
    lines: overviewKeys
      .filter(k => r[k] !== undefined)
      .map((k): PanelSectionLine => ({
        label: roomFields[k].label,
        value: formatValue(r[k], roomFields[k]),
      })),
  }),
})

registerRoomPanelSection({
  key: 'changes',
  order: 1000,
  load: async ({ db, scope, room: r }) => {
    const found = await findPage(db, roomChange, scope, { size: 5 }, { where: [sql`t.room_id = ${r.id}`] })
    return {
      title: '变更',
      count: found.total,
      lines: found.rows.map((c): PanelSectionLine => ({
        label: labelOf(changeItem, c.item),
        value: `${c.oldValue ?? '--'} → ${c.newValue ?? '--'}`,
        note: [`${c.effectiveDate} 起`, c.operatorName, c.reason].filter(Boolean).join(' · '),
        ...(c.applied ? {} : { tone: 'todo' as const }),
      })),
    }
  },
})

export const panelHandlers = [
  reads(getRoomPanel, async ({ id }, { db, scope, today }) => {
    const r = await requireById(db, room, scope, id)
    const asked = [...sections.values()]
      .filter(s => !s.needs || hasPermission(scope, s.needs))
      .toSorted((a, b) => a.order - b.order)
    const told = await Promise.all(
      asked.map(async s => {
        const said = await s.load({ db, scope, room: r, today })
        return said ? [{ key: s.key, ...said }] : []
      }),
    )
    return { room: r, sections: told.flat() }
  }),
]
