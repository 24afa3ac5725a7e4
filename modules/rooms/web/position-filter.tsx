import { defined } from '#kit/domain/defined.ts'
import { useState, type ReactNode } from 'react'
import { useListState } from '#kit/web/list/list-address.ts'
import { useRefNames } from '#kit/web/refs.ts'
import type { Action } from '#kit/web/action.tsx'
import { FloorPicker, floorLabel, unitLabel, type FloorSelection } from '#modules/estates/web/public.tsx'
import { listRooms } from '../contract/room.ts'
import './rooms.css'

interface PositionFilter {
  readonly buildCode?: readonly string[]
  readonly unitName?: string
  readonly floorNum?: number
}

const positionOf = ({ buildCode, unitName, floorNum }: PositionFilter): FloorSelection | undefined =>
  buildCode?.length === 1 ? { buildCode: defined(buildCode[0]), unitName, floorNum } : undefined

interface ScopeLineProps {
  readonly text: string
  readonly onChange: () => void
  readonly onClear: () => void
}

const ScopeLine = ({ text, onChange, onClear }: ScopeLineProps) => (
  <div className="place-scope">
    只看 <b>{text}</b>
    <button type="button" className="linkish" onClick={onChange}>
      更换
    </button>
    <button type="button" className="linkish" onClick={onClear}>
      查看全部
    </button>
  </div>
)

const isStringList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string')

const readPosition = (filter: Readonly<Record<string, unknown>>): PositionFilter => ({
  ...(isStringList(filter.buildCode) ? { buildCode: filter.buildCode } : {}),
  ...(typeof filter.unitName === 'string' ? { unitName: filter.unitName } : {}),
  ...(typeof filter.floorNum === 'number' ? { floorNum: filter.floorNum } : {}),
})

/**
 * Narrows the list to a unit or floor of the building tree: an action of the toolbar, and a line that shows
 * it.
 */
export function usePositionFilter(project: string | undefined): {
  readonly action: Action | false
  readonly line: ReactNode
  readonly picker: ReactNode
} {
  const [listState, setListState] = useListState(listRooms, false)
  const [isOpen, setIsOpen] = useState(false)
  const position = readPosition(listState.filter)
  const { buildCode, unitName, floorNum } = position
  const names = useRefNames('building', buildCode ?? [], { projectCode: project })
  const applyFilter = (next: PositionFilter): void => {
    const cleared = { buildCode: undefined, unitName: undefined, floorNum: undefined }
    setListState({ filter: { ...listState.filter, ...cleared, ...next } })
  }
  const open = (): void => setIsOpen(true)
  const scopeText = [
    buildCode?.map(code => names.get(code) ?? code).join('、'),
    unitName !== undefined && unitLabel(unitName),
    floorNum !== undefined && floorLabel(floorNum),
  ]
    .filter(Boolean)
    .join(' › ')
  return {
    action: project !== undefined && { label: '按单元楼层', run: open },
    line: (unitName !== undefined || floorNum !== undefined) && (
      <ScopeLine text={scopeText} onChange={open} onClear={() => applyFilter({})} />
    ),
    picker: isOpen && (
      <FloorPicker
        projectCode={project}
        value={positionOf(position)}
        onDone={chosen => {
          setIsOpen(false)
          if (!chosen) return
          applyFilter(chosen === 'none' ? {} : { ...chosen, buildCode: [chosen.buildCode] })
        }}
      />
    ),
  }
}
