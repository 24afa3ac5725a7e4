import { labelOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findPage } from '#kit/server/table.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import type { PanelSectionLine } from '#modules/rooms/contract/room-board.ts'
import type { Room } from '#modules/rooms/contract/room.ts'
import {
  registerDeliveryCheck,
  registerRoomPanelSection,
  sectionOfRecords,
} from '#modules/rooms/server/public.ts'
import { inspectionState } from '../contract/choices.ts'
import { roomInspection, type RoomInspection } from '../contract/inspection.ts'
import { blockingStates, openStates } from '../domain/inspection.ts'
import { menu, paths } from '../module.ts'

// BASE-5: a room that is being inspected stays.
registerDependentRows('estate', {
  label: '验房单',
  table: 'room_inspection',
  where: (e: Estate) => sql`project_code = ${e.projectCode}`,
})
registerDependentRows('room', {
  label: '未完成验房单',
  table: 'room_inspection',
  where: (r: Room) => sql`
    project_code = ${r.projectCode} and room_code = ${r.code} and state in ${codes(inspectionState, ...openStates)}
  `,
})

// C13: no room is delivered with problems that nobody has put right.
registerDeliveryCheck(async (db, scope, rooms) => {
  const found = await db.rows<{
    projectCode: string
    roomCode: string
    sheetNo: string
    openCount: number
  }>(sql`
    select project_code, room_code, sheet_no, open_count
    from room_inspection
    where owner_id = ${scope.ownerId}
      and room_code = any(${rooms.map(r => r.code ?? '')}::text[])
      and state in ${codes(inspectionState, ...blockingStates)}
      and open_count > 0
      and ${notDeleted()}
  `)
  const sheets = new Map(found.map(row => [`${row.projectCode}/${row.roomCode}`, row]))
  return new Map(
    rooms.flatMap(room => {
      const sheet = sheets.get(`${room.projectCode}/${room.code}`)
      return sheet
        ? [
            [
              room.id,
              `验房单 ${sheet.sheetNo} 还有 ${sheet.openCount} 个问题未整改合格，复查合格后才能交付`,
            ] as const,
          ]
        : []
    }),
  )
})

const lineOf = (sheet: RoomInspection): PanelSectionLine => {
  const tone = inspectionState.rows[sheet.state][2]
  return {
    label: sheet.sheetNo,
    value: labelOf(inspectionState, sheet.state),
    note: [
      sheet.standardName,
      sheet.inspectorName,
      sheet.problemCount ? `问题 ${sheet.problemCount}，未整改 ${sheet.openCount}` : undefined,
      (sheet.endTime ?? sheet.startTime)?.slice(0, 16) ?? sheet.planDate,
    ]
      .filter(Boolean)
      .join(' · '),
    to: `${paths.detail}?id=${sheet.id}`,
    ...(tone ? { tone } : {}),
  }
}

registerRoomPanelSection({
  key: 'inspections',
  order: 340,
  needs: menu.sheet.permissions.view,
  load: async ({ db, scope, room }) => {
    const found = await findPage(
      db,
      roomInspection,
      scope,
      { size: 5, projectCode: room.projectCode },
      { where: [sql`t.room_code = ${room.code}`] },
    )
    return sectionOfRecords('验房', found.rows, lineOf, found.total)
  },
})
