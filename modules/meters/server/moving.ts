import { defined } from '#kit/domain/defined.ts'
import { keyOf, labelOf } from '#kit/contract/field.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { registerMoveStep } from '#modules/residents/server/public.ts'
import type { MoveLine } from '#modules/residents/contract/move-step.ts'
import { meterKind, readingState } from '../contract/choices.ts'
import { menu } from '../module.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { meterInUse, validReading } from './reading-conditions.ts'

interface RoomMeter {
  readonly meterNo: string
  readonly meterKind: number
  readonly curNum?: string
  readonly readDate?: string
  readonly open: number
}

const roomMeters = sqlFile(import.meta.dirname, 'room-meters.sql', [
  'inUse',
  'liveMeter',
  'liveReading',
  'open',
  'ownerId',
  'project',
  'room',
  'roomCode',
  'validReading',
])

// BASE-11, BASE-17: the last readings of the meters of a room that changes hands, and how many are unbilled.
registerMoveStep({
  key: 'meters',
  title: '仪表',
  order: 300,
  kinds: ['checkout', 'transfer', 'moveOut'],
  needs: menu.meter.permissions.view,
  plan: async context => {
    const found = await context.db.rows(
      roomMeters<RoomMeter>({
        ownerId: context.scope.ownerId,
        project: context.room.projectCode,
        room: code(sourceType, 'room'),
        roomCode: defined(context.room.code),
        open: code(readingState, 'open'),
        liveMeter: notDeleted('t'),
        liveReading: notDeleted('r'),
        inUse: meterInUse('t'),
        validReading: validReading('r'),
      }),
    )
    if (!found.length) return undefined
    return {
      lines: found.map((meter): MoveLine => ({
        label: `${labelOf(meterKind, defined(keyOf(meterKind, meter.meterKind)))} ${meter.meterNo}`,
        value: meter.curNum === undefined ? '暂无读数' : `${meter.readDate} 读数 ${meter.curNum}`,
        note: [
          meter.readDate === context.day ? '' : `${context.day} 尚未抄表`,
          meter.open ? `${meter.open} 次读数未出账` : '',
        ]
          .filter(Boolean)
          .join('，'),
        ...(meter.readDate === context.day ? {} : { tone: 'todo' as const }),
      })),
    }
  },
})
