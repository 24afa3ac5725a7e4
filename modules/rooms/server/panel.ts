import type { Permission } from '#kit/contract/call.ts'
import { labelOf } from '#kit/contract/field.ts'
import { show } from '#kit/contract/value.ts'
import type { Day } from '#kit/contract/field.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handle.ts'
import { may, type Scope } from '#kit/server/scope.ts'
import { need, page } from '#kit/server/table.ts'
import { roomPanel, type Section, type SectionLine } from '../contract/board.ts'
import { roomChange } from '../contract/change.ts'
import { room, type Room } from '../contract/room.ts'
import { changeItem } from '../contract/words.ts'

/** One module's part of "one room, everything". `load` answers nothing where there is nothing to say. */
export interface PanelSection {
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
  }) => Promise<Omit<Section, 'key'> | undefined>
}

const sections = new Map<string, PanelSection>()

export const panelSection = (s: PanelSection): void => {
  sections.set(s.key, s)
}

const fields = room.fields

const overview = [
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

panelSection({
  key: 'overview',
  order: 0,
  load: async ({ room: r }) => ({
    title: '概览',
    lines: overview
      .filter(k => r[k] !== undefined)
      .map((k): SectionLine => ({ label: fields[k].label, value: show(r[k], fields[k]) })),
  }),
})

panelSection({
  key: 'changes',
  order: 1000,
  load: async ({ db, scope, room: r }) => {
    const found = await page(db, roomChange, scope, { size: 5 }, { where: [sql`t.room_id = ${r.id}`] })
    return {
      title: '变更',
      count: found.total,
      lines: found.rows.map((c): SectionLine => ({
        label: labelOf(changeItem, c.item),
        value: `${c.oldValue ?? '--'} → ${c.newValue ?? '--'}`,
        note: [`${c.effectiveDate} 起`, c.operatorName, c.reason].filter(Boolean).join(' · '),
        ...(c.applied ? {} : { tone: 'todo' as const }),
      })),
    }
  },
})

export const panelHandlers = [
  reads(roomPanel, async ({ id }, { db, scope, today }) => {
    const r = await need(db, room, scope, id)
    const asked = [...sections.values()]
      .filter(s => !s.needs || may(scope, s.needs))
      .sort((a, b) => a.order - b.order)
    const told = await Promise.all(
      asked.map(async s => {
        const said = await s.load({ db, scope, room: r, today })
        return said ? [{ key: s.key, ...said }] : []
      }),
    )
    return { room: r, sections: told.flat() }
  }),
]
