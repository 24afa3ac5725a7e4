import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { Button } from 'antd'
import { SlideIn } from '#kit/web/pickers/slide-in.tsx'
import { TreePicker } from '#kit/web/pickers/tree-picker.tsx'
import { sceneType } from '../contract/labels.ts'
import {
  roomNode,
  roomSource,
  roomsByCode,
  failureText,
  type DisabledReason,
  type PickedRoom,
  type RoomScene,
} from './room-picker-nodes.ts'

export interface RoomPickerProps {
  /** Which places: rooms, shops, both, public areas too, or areas alone. It gives the title. */
  readonly scene?: RoomScene
  readonly many?: boolean
  readonly max?: number | undefined
  /** The project to choose in; none: all that the caller may see. */
  readonly projectCode?: string | undefined
  /** Codes of what is chosen already. */
  readonly value: readonly string[]
  readonly search?: boolean
  /** Why a place may not be chosen. Must be the same function as long as the picker stands. */
  readonly why?: DisabledReason
  readonly onDone: (chosen: readonly PickedRoom[] | undefined) => void
}

const sceneChoices: Partial<Record<RoomScene, readonly RoomScene[]>> = {
  roomShop: ['roomShop', 'room', 'shop'],
  roomShopArea: ['roomShopArea', 'room', 'shop', 'area'],
}

const chipLabel = (s: RoomScene, all: boolean): string => (all ? '全部' : `只看${labelOf(sceneType, s)}`)

interface ScenePickerProps extends RoomPickerProps {
  readonly title: string
  readonly placeholder: string
  readonly layout: 'lines' | 'rows'
}

function ScenePicker({
  scene = 'room',
  many = false,
  max,
  projectCode,
  value,
  search = true,
  why,
  title,
  placeholder,
  layout,
  onDone,
}: ScenePickerProps) {
  const [shown, setShown] = useState<RoomScene>(scene)
  const source = useMemo(() => roomSource(shown, projectCode, why, search), [shown, projectCode, why, search])
  const held = useQuery({
    queryKey: ['room-picker', projectCode, value],
    queryFn: () => roomsByCode(value, projectCode),
    enabled: value.length > 0,
    staleTime: 0,
    gcTime: 0,
  })
  const chosen = useMemo(
    () => (held.data ?? []).map(r => ({ ...roomNode(r, why), disabledReason: undefined })),
    [held.data, why],
  )
  if (held.isError)
    return (
      <SlideIn
        title={title}
        saveDisabledReason="已选的房间没有读到"
        onBack={() => onDone(undefined)}
        onSave={() => undefined}
      >
        <div className="pick-trouble" role="alert">
          {failureText(held.error)}
        </div>
        <div style={{ padding: 12 }}>
          <Button onClick={() => void held.refetch()}>重试</Button>
        </div>
      </SlideIn>
    )
  if (value.length > 0 && !held.data) return null
  const choices = sceneChoices[scene]
  const above = choices && (
    <div className="pick-chips" role="group" aria-label="只看">
      {choices.map((s, i) => (
        <button key={s} type="button" aria-pressed={s === shown} onClick={() => setShown(s)}>
          {chipLabel(s, i === 0)}
        </button>
      ))}
    </div>
  )
  return (
    <TreePicker
      title={title}
      source={source}
      multiple={many}
      max={max}
      unit={scene === 'area' ? '处' : '间'}
      value={chosen}
      placeholder={placeholder}
      layout={layout}
      errorText={failureText}
      {...(above ? { belowSearch: above } : {})}
      emptyText={`还没有${labelOf(sceneType, scene)}`}
      onDone={got => onDone(got?.map(n => n.data))}
    />
  )
}

/**
 * Rooms, shops or public areas as floors of a unit; one (the second takes the place of the first) or several
 * (0§2, 0§4).
 */
export function RoomPicker(p: RoomPickerProps) {
  const scene = p.scene ?? 'room'
  return (
    <ScenePicker
      {...p}
      scene={scene}
      title={`选择${labelOf(sceneType, scene)}`}
      placeholder="请输入房间号"
      layout="lines"
    />
  )
}

/** Several rooms and shops (scene type 2). */
export const MultiRoomPicker = (p: Omit<RoomPickerProps, 'scene' | 'many'>) => (
  <RoomPicker {...p} scene="roomShop" many />
)

/** The tree of all projects down to the room, one room by radio, shops marked (0§2). */
export const AreaPicker = (p: Omit<RoomPickerProps, 'scene' | 'many' | 'max'>) => (
  <ScenePicker
    {...p}
    scene="roomShop"
    many={false}
    title="选择区域"
    placeholder="请输入房间号"
    layout="rows"
  />
)
