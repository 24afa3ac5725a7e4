import { defined } from '#kit/domain/defined.ts'
import { keyOf, labelOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { registerMoveStep } from '#modules/residents/server/public.ts'
import type { MoveLine } from '#modules/residents/contract/move.ts'
import { meterKind, readingState } from '../contract/choices.ts'
import { menu } from '../module.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { meterInUse, validReading } from './reading-conditions.ts'

// BASE-11, BASE-17: the last readings of the meters of a room that changes hands, and how many are unbilled.
registerMoveStep({
  key: 'meters',
  title: '仪表',
  order: 300,
  kinds: ['checkout', 'transfer', 'moveOut'],
  needs: menu.meter.permissions.view,
  plan: async context => {
    const found = await context.db.rows<{
      meterNo: string
      meterKind: number
      curNum?: string
      readDate?: string
      open: number
    }>(sql`
      select t.meter_no,
        t.meter_kind,
        trim_scale(x.cur_num)::text as cur_num,
        x.read_date,
        (
          select count(*)
          from meter_reading r
          where r.owner_id = ${context.scope.ownerId}
            and r.meter_id = t.id
            and ${notDeleted('r')}
            and r.state = ${code(readingState, 'open')}
            and r.usage > 0
        )::int as open
      from meter t
      left join lateral (
        select r.cur_num, r.read_date
        from meter_reading r
        where r.owner_id = ${context.scope.ownerId} and r.meter_id = t.id and ${validReading('r')}
        order by r.read_date desc
        limit 1
      ) x on true
      where t.owner_id = ${context.scope.ownerId}
        and t.project_code = ${context.room.projectCode}
        and t.source_type = ${code(sourceType, 'room')}
        and t.source_code = ${defined(context.room.code)}
        and ${notDeleted('t')}
        and ${meterInUse('t')}
      order by t.meter_kind, t.meter_no
      limit 20
    `)
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
