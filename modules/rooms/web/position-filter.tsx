import { defined } from '#kit/domain/defined.ts'
import { useState, type ReactNode } from 'react'
import { useListState } from '#kit/web/list/list-state.ts'
import { useRefNames } from '#kit/web/refs.ts'
import type { Action } from '#kit/web/action.tsx'
import { FloorPicker, floorLabel, unitLabel } from '#modules/estates/web/public.tsx'
import { listRooms } from '../contract/room.ts'
import './rooms.css'

interface PositionFilter {
  readonly buildCode?: readonly string[]
  readonly unitName?: string
  readonly floorNum?: number
}

/**
 * The unit or floor that the list is narrowed to, chosen in the tree of buildings: a verb for the toolbar,
 * and a line that says it.
 */
export function usePositionFilter(project: string | undefined): {
  readonly verb: Action | false
  readonly line: ReactNode
  readonly picker: ReactNode
} {
  const [q, setQ] = useListState(listRooms, false)
  const [open, setOpen] = useState(false)
  const { buildCode, unitName, floorNum } = q.filter as PositionFilter
  const names = useRefNames('building', buildCode ?? [], { projectCode: project })
  const put = (to: PositionFilter): void =>
    setQ({ filter: { ...q.filter, buildCode: undefined, unitName: undefined, floorNum: undefined, ...to } })
  const words = [
    buildCode?.map(b => names.get(b) ?? b).join('、'),
    unitName !== undefined && unitLabel(unitName),
    floorNum !== undefined && floorLabel(floorNum),
  ]
    .filter(Boolean)
    .join(' › ')
  return {
    verb: project !== undefined && { label: '按单元楼层', run: () => setOpen(true) },
    line: (unitName !== undefined || floorNum !== undefined) && (
      <div className="place-scope">
        只看 <b>{words}</b>
        <button type="button" className="linkish" onClick={() => setOpen(true)}>
          更换
        </button>
        <button type="button" className="linkish" onClick={() => put({})}>
          看全部
        </button>
      </div>
    ),
    picker: open && (
      <FloorPicker
        projectCode={project}
        many={false}
        depth="any"
        value={
          buildCode?.length === 1
            ? [
                {
                  buildCode: defined(buildCode[0]),
                  ...(unitName === undefined ? {} : { unitName }),
                  ...(floorNum === undefined ? {} : { floorNum }),
                },
              ]
            : []
        }
        onDone={got => {
          setOpen(false)
          const g = got?.[0]
          if (got) {
            put(
              g
                ? {
                    buildCode: [g.buildCode],
                    ...(g.unitName === undefined ? {} : { unitName: g.unitName }),
                    ...(g.floorNum === undefined ? {} : { floorNum: g.floorNum }),
                  }
                : {},
            )
          }
        }}
      />
    ),
  }
}
