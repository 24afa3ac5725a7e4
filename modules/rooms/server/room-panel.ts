import type { Permission } from '#kit/contract/call.ts'
import { labelOf, type Day } from '#kit/contract/field.ts'
import { formatValue } from '#kit/contract/value.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { requireById, findPage } from '#kit/server/table.ts'
import { getRoomPanel, type PanelSectionContent, type PanelSectionLine } from '../contract/room-board.ts'
import { roomChange } from '../contract/room-change.ts'
import { room as roomEntity, type Room } from '../contract/room.ts'
import { changeItem } from '../contract/labels.ts'
import { findRoomDebts } from './room-debts.ts'

/** One module's part of "one room, everything". `load` returns undefined where there is nothing to show. */
export interface RoomPanelSection {
  readonly key: string
  /** Lower is further up: what waits comes first, what the room is last; 房间资料 is 800, 变更 is 1000. */
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

export const registerRoomPanelSection = (section: RoomPanelSection): void => {
  sections.set(section.key, section)
}

/** A section of records, one line each; nothing where there are none. These may be the first of `count`. */
export const sectionOfRecords = <T>(
  title: string,
  records: readonly T[],
  lineOf: (record: T) => PanelSectionLine,
  count: number = records.length,
): Omit<PanelSectionContent, 'key'> | undefined =>
  records.length ? { title, count, lines: records.map(lineOf) } : undefined

const roomFields = roomEntity.fields

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
  order: 800,
  load: async ({ room }) => ({
    title: '房间资料',
    lines: overviewKeys
      .filter(key => room[key] !== undefined)
      .map((key): PanelSectionLine => ({
        label: roomFields[key].label,
        value: formatValue(room[key], roomFields[key]),
      })),
  }),
})

registerRoomPanelSection({
  key: 'changes',
  order: 1000,
  load: async ({ db, scope, room }) => {
    const found = await findPage(db, roomChange, scope, { size: 5 }, { where: [sql`t.room_id = ${room.id}`] })
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
    const room = await requireById(db, roomEntity, scope, id)
    const visibleSections = [...sections.values()]
      .filter(section => !section.needs || hasPermission(scope, section.needs))
      .toSorted((a, b) => a.order - b.order)
    const contents = await Promise.all(
      visibleSections.map(async section => {
        const content = await section.load({ db, scope, room, today })
        return content ? [{ key: section.key, ...content }] : []
      }),
    )
    const debts = await findRoomDebts({ db, scope, today }, room.projectCode, { code: room.code })
    const unpaid = debts?.find(debt => debt.code === room.code)?.unpaid
    return {
      room,
      ...(debts ? { unpaid: unpaid ?? asFen(0) } : {}),
      sections: contents.flat(),
    }
  }),
]
