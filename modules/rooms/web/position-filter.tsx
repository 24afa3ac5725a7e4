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
  readonly action: Action | false
  readonly line: ReactNode
  readonly picker: ReactNode
} {
  const [listState, setListState] = useListState(listRooms, false)
  const [isOpen, setIsOpen] = useState(false)
  const { buildCode, unitName, floorNum } = listState.filter as PositionFilter
  const names = useRefNames('building', buildCode ?? [], { projectCode: project })
  const applyFilter = (position: PositionFilter): void =>
    setListState({
      filter: {
        ...listState.filter,
        buildCode: undefined,
        unitName: undefined,
        floorNum: undefined,
        ...position,
      },
    })
  const scopeText = [
    buildCode?.map(b => names.get(b) ?? b).join('、'),
    unitName !== undefined && unitLabel(unitName),
    floorNum !== undefined && floorLabel(floorNum),
  ]
    .filter(Boolean)
    .join(' › ')
  return {
    action: project !== undefined && { label: '按单元楼层', run: () => setIsOpen(true) },
    line: (unitName !== undefined || floorNum !== undefined) && (
      <div className="place-scope">
        只看 <b>{scopeText}</b>
        <button type="button" className="linkish" onClick={() => setIsOpen(true)}>
          更换
        </button>
        <button type="button" className="linkish" onClick={() => applyFilter({})}>
          看全部
        </button>
      </div>
    ),
    picker: isOpen && (
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
        onDone={chosen => {
          setIsOpen(false)
          const floor = chosen?.[0]
          if (chosen) {
            applyFilter(
              floor
                ? {
                    buildCode: [floor.buildCode],
                    ...(floor.unitName === undefined ? {} : { unitName: floor.unitName }),
                    ...(floor.floorNum === undefined ? {} : { floorNum: floor.floorNum }),
                  }
                : {},
            )
          }
        }}
      />
    ),
  }
}
